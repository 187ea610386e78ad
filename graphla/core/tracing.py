"""What ran: the GraphBLAS operations of a block, with their direction, sizes and time.

The CPU engine is observed at the one place through which python-graphblas calls
SuiteSparse. Outside a :func:`trace` nothing is hooked and nothing is paid. The GPU engine
asks :func:`active` once an operation.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from graphla.core.display import html_table, warn_caller
from graphla.core.masked_products import PRODUCTS, WARNING, may_hang, method_of

OPERATIONS = (
    *("mxm", "mxv", "vxm", "eWiseAdd", "eWiseMult", "eWiseUnion", "apply", "select", "reduce"),
    *("assign", "subassign", "extract", "transpose", "kronecker", "build"),
)


class Step(NamedTuple):
    """One operation.

    `direction` is "push" for a product with a row vector on the left, "pull"
    for one with a column vector on the right, else ""; on engine "cuda" it is
    the direction of the kernel. `kernel` is the operator, on engine "cuda" with the kernels
    that ran. `nnz_in` holds the stored entries of each operand, `nnz_out` those of
    the output afterwards; `seconds` is wall-clock time until the output was complete.

    Of distributed graphs the collectives are steps too: "word", "allgather" and "alltoall". Their
    `kernel` is the operation that needed them, `nnz_in` the entries that this rank sent, `nnz_out`
    those that it has then, and `nbytes` the bytes that it received. Their `seconds` include the
    time in which the rank waited for others.
    """

    operation: str
    kernel: str
    direction: str
    mask: str
    nnz_in: tuple[int, ...]
    nnz_out: int
    seconds: float
    nbytes: int = 0


class Trace(list[Step]):
    """The steps in the order in which they ended."""

    @property
    def seconds(self) -> float:
        """Time of all steps together."""
        return sum(step.seconds for step in self)

    def __repr__(self) -> str:
        lines = [f"<Trace: {len(self)} operations, {self.seconds * 1e3:.3f} ms>"]
        lines += [
            f"{s.operation:>9} {s.kernel:<24} {s.direction:<4} {s.mask:<4} "
            f"{'+'.join(map(str, s.nnz_in)):>20} -> {s.nnz_out:<10} {s.seconds * 1e6:10.1f} us"
            for s in self
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = (
            (
                *step[:4],
                " + ".join(f"{nnz:,}" for nnz in step.nnz_in),
                f"{step.nnz_out:,}",
                f"{step.seconds * 1e6:,.1f}",
            )
            for step in self
        )
        caption = f"{len(self)} operations, {self.seconds * 1e3:.3f} ms"
        return html_table(rows, (*Step._fields[:-1], "us"), caption=caption)


_active: ContextVar[tuple[Trace, ...]] = ContextVar("graphla_traces", default=())
active = _active.get  # returns the traces that record now; called at every operation
_hook_lock = threading.Lock()
_hooked: list[Any] = []  # modules whose `call` is ours now
_users = 0


@contextmanager
def trace() -> Iterator[Trace]:
    """Record the operations that run inside a ``with`` block.

    These are :data:`OPERATIONS`: products, element-wise operations, reductions,
    assignments and the like; on engine "cuda" also "inner". Copies, ``diag`` and
    single elements are not recorded.
    Traces nest, and each thread (context) has its own. Tracing completes every
    output before the next operation starts, so lazily deferred work is attributed
    to the operation that requested it; the sum of the times is therefore a little above an
    untraced run.

    Yields
    ------
    Trace
        A list of :class:`Step`, filled as the block runs.

    Warns
    -----
    RuntimeWarning
        A product is about to run on the CPU from which SuiteSparse may never return
        (:mod:`graphla.core.masked_products`).

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1], [1, 2]).cache("AT", "out_degree", "max_out_degree")
    >>> with gl.trace() as steps:
    ...     r = gl.bfs(G, 0)
    >>> [(s.direction, s.nnz_in, s.nnz_out) for s in steps if s.operation == "vxm"]
    [('push', (1, 2), 1), ('push', (1, 2), 1), ('push', (1, 2), 0)]
    """
    steps = Trace()
    token = _active.set((*_active.get(), steps))
    _hook()
    try:
        yield steps
    finally:
        _unhook()
        _active.reset(token)


@contextmanager
def recording() -> Iterator[Callable[[Step], None]]:
    """Yield a function that adds a step to the traces; inside, nothing else is recorded."""
    traces = _active.get()
    token = _active.set(())

    def record(step: Step) -> None:
        for steps in traces:
            steps.append(step)

    try:
        yield record
    finally:
        _active.reset(token)


def _hook() -> None:
    """Replace the function by which python-graphblas calls SuiteSparse with `_observed`."""
    global _users
    from graphblas.core import base

    with _hook_lock:
        _users += 1
        if _users > 1:
            return
        _observed.call = original = base.call  # type: ignore[attr-defined]
        for name, module in list(sys.modules.items()):
            if name.startswith("graphblas.") and getattr(module, "call", None) is original:
                module.call = _observed  # type: ignore[attr-defined]
                _hooked.append(module)


def _unhook() -> None:
    global _users
    with _hook_lock:
        _users -= 1
        if _users == 0:
            while _hooked:
                _hooked.pop().call = _observed.call  # type: ignore[attr-defined]


def _observed(cfunc_name: str, args: list[Any]) -> Any:
    call = _observed.call  # type: ignore[attr-defined]
    operation = next((part for part in cfunc_name.split("_") if part in OPERATIONS), None)
    traces = _active.get()
    if operation is None or not traces:
        return call(cfunc_name, args)
    if operation in PRODUCTS:
        _warn(operation, args)
    out, operands = args[0], [a for a in args[2:] if hasattr(a, "_nvals")]
    nnz_in = tuple(a._nvals for a in operands)
    start = time.perf_counter()
    result = call(cfunc_name, args)
    if hasattr(out, "wait"):
        out.wait()
    seconds = time.perf_counter() - start
    step = Step(
        operation,
        next((f"{a.name}[{a.type}]" for a in args[3:] if hasattr(a, "opclass")), ""),
        {"vxm": "push", "mxv": "pull"}.get(operation, ""),
        mask_kind(args[1] if len(args) > 1 else None),
        nnz_in,
        out._nvals if hasattr(out, "_nvals") else 1,
        seconds,
    )
    for steps in traces:
        steps.append(step)
    return result


def _warn(operation: str, args: list[Any]) -> None:
    """Warn, before it runs, of a product that SuiteSparse may never return from."""
    _, mask, _, _, A, B, descriptor = args
    with recording():
        if not may_hang(operation, mask, A, B, method_of(descriptor)):
            return
    warn_caller(f"{operation} {WARNING}", RuntimeWarning)


def mask_kind(mask: Any) -> str:
    """Return "S", "V", "~S", "~V", or "" without a mask."""
    if not hasattr(mask, "complement"):
        return ""
    return ("~" if mask.complement else "") + ("S" if mask.structure else "V")
