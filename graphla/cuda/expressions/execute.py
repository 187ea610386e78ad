"""Every operation passes here: its output stays whole, memory that ends is told, traces see it.

An operation first allocates and then writes. So where it fails, for whatever reason, the
entries that its output had before are still there, and become its entries again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from graphla.core import tracing
from graphla.cuda.runtime.compile import launched
from graphla.cuda.runtime.device import device
from graphla.cuda.storage import sliced_ell
from graphla.errors import EngineMismatch, OutOfDeviceMemory, OutOfMemory

NAMES = {  # those of the C API, as of the CPU engine's traces
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


def run(e: Any, out: Any, mask: Any, work: Callable[[], Any], copies: bool = False) -> None:
    """Do the work of an expression on an output; `copies` are not traced."""
    before = out._store
    try:
        if copies or not tracing.active():
            work()
        else:
            observed(e, out, mask, work)
        before = out._store
        out._settle()
    except BaseException as error:
        out._store = before
        if isinstance(error, device.out_of_memory) and not isinstance(error, OutOfMemory):
            raise refusal(error, f"{e.operation} into {about(out)}") from error
        raise


def about(x: Any) -> str:
    """Name an object without asking the device."""
    return f"a {type(x).__name__} of {' x '.join(f'{k:,}' for k in x.shape)}, {x.dtype.name},"


def result(e: Any, work: Callable[[], Any]) -> Any:
    """Return what the work of an expression without an output gives: a Scalar."""
    try:
        return observed(e, None, None, work) if tracing.active() else work()
    except OutOfMemory:  # told already
        raise
    except device.out_of_memory as error:
        raise refusal(error, e.operation) from error


def refusing(method: Callable[..., Any]) -> Callable[..., Any]:
    """Let a method tell in graphla's words that memory has ended."""

    @wraps(method)
    def told(*args: Any, **options: Any) -> Any:
        try:
            return method(*args, **options)
        except OutOfMemory:
            raise
        except device.out_of_memory as error:
            raise refusal(error, method.__qualname__) from error

    return told


def refusal(error: Any, what: str) -> OutOfDeviceMemory:
    """Return CuPy's exception as graphla's, with the bytes; what can be made again is dropped."""
    sliced_ell.clear()
    needed = int(getattr(error, "_size", 0))
    return OutOfDeviceMemory(what, needed=needed, free=device.free())


def observed(e: Any, out: Any, mask: Any, work: Callable[[], Any]) -> Any:
    """Do the work and add it, as one step, to the traces."""
    nnz_in = tuple(x.nvals for x in e.operands)
    kernels: list[str] = []
    names = launched.set(kernels)
    with tracing.recording() as record:
        try:
            device.synchronise()
            start = time.perf_counter()
            found = work()
            device.synchronise()
            seconds = time.perf_counter() - start
        finally:
            launched.reset(names)
        operation = NAMES.get(e.operation, e.operation)
        chosen = [DIRECTIONS[name] for name in kernels if name in DIRECTIONS]
        record(
            tracing.Step(
                operation,
                f"{_operator(e.op)} {'+'.join(dict.fromkeys(kernels))}".strip(),
                chosen[0] if chosen and operation in ("mxm", "mxv", "vxm") else "",
                tracing.mask_kind(mask),
                nnz_in,
                1 if out is None else out.nvals,
                seconds,
            )
        )
    return found


def _operator(op: Any) -> str:
    op = op if op is None or hasattr(op, "name") else op.monoid
    return "" if op is None else f"{op.name}[{op.type.name}]"


def one_device(e: Any, *others: Any) -> None:
    """Refuse operands, outputs and masks that lie on two devices."""
    found: dict[int, Any] = {}
    of = device.active.device_of
    for x in (*e.operands, *others):
        if x is not None:
            store = getattr(x, "_store", None) or x.T._store  # of a transpose
            found.setdefault(of(store.values), x)
    if len(found) > 1:
        (first, x), (second, y) = list(found.items())[:2]
        raise EngineMismatch(
            f"{e.operation}: {about(x)} is on device {first}, {about(y)} on device {second}; "
            "to_graphblas(x) and from_graphblas(...) on the other device move it"
        )
