"""What a trace records of an operation: its kernels, push or pull, its entries, its time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from graphla.core import tracing
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import launched

NAMES = {  # names in traces: those of the C API
    "ewise_add": "eWiseAdd",
    "ewise_mult": "eWiseMult",
    "ewise_union": "eWiseUnion",
    "reduce_rowwise": "reduce",
    "reduce_columnwise": "reduce",
}
DIRECTIONS = dict.fromkeys(("spmspv", "traversal_push"), "push")  # kernel -> direction
DIRECTIONS |= dict.fromkeys(
    ("spmv_pull", "spmv_pull_balanced", "spmv_sliced_ell", "traversal_pull"), "pull"
)


def run_traced(expression: Any, out: Any, mask: Any, work: Callable[[], Any]) -> Any:
    """Run the work and add it to the traces as one step."""
    nnz_in = tuple(x.nvals for x in expression.operands)
    kernels: list[str] = []
    names = launched.set(kernels)
    with tracing.recording() as record:
        try:
            device.synchronise()
            start = time.perf_counter()
            result = work()
            device.synchronise()
            seconds = time.perf_counter() - start
        finally:
            launched.reset(names)
        operation = NAMES.get(expression.operation, expression.operation)
        chosen = [DIRECTIONS[name] for name in kernels if name in DIRECTIONS]
        record(
            tracing.Step(
                operation,
                f"{_operator(expression.op)} {'+'.join(dict.fromkeys(kernels))}".strip(),
                chosen[0] if chosen and operation in ("mxm", "mxv", "vxm") else "",
                tracing.mask_kind(mask),
                nnz_in,
                1 if out is None else out.nvals,
                seconds,
            )
        )
    return result


def _operator(op: Any) -> str:
    op = op if op is None or hasattr(op, "name") else op.monoid
    return "" if op is None else f"{op.name}[{op.type.name}]"
