"""Reductions to one value, and the comparison of two objects."""

from __future__ import annotations

from functools import cache
from typing import Any

from graphblas import semiring

from graphla.core import validation
from graphla.cuda.expressions.arguments import operand
from graphla.cuda.expressions.expression import Expression
from graphla.cuda.expressions.scalar import Scalar
from graphla.cuda.memory import buffer_pool
from graphla.cuda.operators import graphblas_bridge, tables
from graphla.cuda.runtime.compile import Kernel, kernel
from graphla.cuda.runtime.device import BLOCK, device
from graphla.cuda.runtime.host_result import Told
from graphla.cuda.storage.vector_formats import Sparse, element, index_dtype, to_dense, zero

BLOCKS = 1024  # partial sums at most


class Reduce(Expression):
    """The sum of all entries of an object over a monoid."""

    __slots__ = ("allow_empty",)

    def __init__(self, x: Any, op: Any, allow_empty: bool = True) -> None:
        op = graphblas_bridge.resolve(op, "monoid", x.dtype)
        super().__init__("reduce", (), op.return_type, op, (x,))
        self.allow_empty = allow_empty

    def _value(self, dtype: Any) -> Scalar:
        """Return the sum as a Scalar, which stays on the device until it is read."""
        (x,) = self.operands
        result = Scalar.on_device(self.dtype, total(x._entries, self.op))
        if not self.allow_empty and result.is_empty:
            result = Scalar(self.dtype, tables.identity(self.op))
        return result if dtype is None else result.new(dtype)

    @property
    def value(self) -> Any:
        """The sum as a Python number."""
        return self.new().value


class Inner(Expression):
    """The sum over a monoid of the products of two Vectors."""

    __slots__ = ()

    def __init__(self, u: Any, v: Any, op: Any) -> None:
        op = graphblas_bridge.resolve(op, "semiring", u.dtype, v.dtype)
        super().__init__("inner", (), op.return_type, op, (u, v))

    def _value(self, dtype: Any) -> Scalar:
        """Return the product as a Scalar, which stays on the device until it is read."""
        u, v = self.operands
        result = Scalar.on_device(self.dtype, product(u, v, self.op))
        return result if dtype is None else result.new(dtype)

    @property
    def value(self) -> Any:
        """The product as a Python number."""
        return self.new().value


def inner(u: Any, v: Any, op: Any) -> Expression:
    """Return u' v."""
    return Inner(u, v, op)


@cache
def _kernel(op: Any, x: str) -> Kernel:
    text = f"{tables.monoid(op)}typedef {x} X; typedef Add::Z Z;\n"
    return kernel("reduce", text)


def total(store: Any, op: Any) -> Told:
    """Return where a kernel tells the sum of a store's entries, and whether there is one."""
    values, listed, stream = store.values, isinstance(store, Sparse), device.now.stream
    size = store.most if listed else values.size
    threads = BLOCK * min(BLOCKS, max(1, -(-size // BLOCK)))
    count, bits = (store.count, None) if listed else (None, store.bits)
    sums, anys = buffer_pool.partial(BLOCKS, op.return_type.np_type, stream)
    told = Told()
    run = _kernel(op, element(values.dtype))
    run(threads, size, count, values, bits, sums, anys, zero(stream), told.array)
    return told


@cache
def _inner(op: Any, index: str, x: str, y: str, swapped: bool) -> Kernel:
    text = f"typedef {index} Index; typedef {x} X; typedef {y} Y;\n"
    text += f"enum {{ SWAPPED = {swapped:d} }};\n{tables.semiring(op)}typedef Add::Z Z;\n"
    return kernel("inner_product", text)


def product(u: Any, v: Any, op: Any) -> Told:
    """Return where a kernel tells the sum of the products of two Vectors, and whether there is one.

    The shorter list is read, and the other Vector looked up.
    """
    x, y = u._store, v._store
    lists = [isinstance(store, Sparse) for store in (x, y)]
    swapped = lists[1] and not (lists[0] and x.most <= y.most)
    x, y = (y, x) if swapped else (x, y)
    y = to_dense(y, u.size)
    count, keys = (x.count, x.keys) if isinstance(x, Sparse) else (None, None)
    size = x.values.size if keys is None else x.most
    threads, stream, told = (
        BLOCK * min(BLOCKS, max(1, -(-size // BLOCK))),
        device.now.stream,
        Told(),
    )
    sums, anys = buffer_pool.partial(BLOCKS, op.return_type.np_type, stream)
    types = element(index_dtype(u.size)), element(x.values.dtype), element(y.values.dtype)
    _inner(op, *types, swapped)(
        threads, size, count, keys, x.values, getattr(x, "bits", None), y.values, y.bits,
        sums, anys, zero(stream), told.array,
    )  # fmt: skip
    return told


def isequal(x: Any, y: Any, check_dtype: bool) -> bool:
    """Whether shape, structure and values agree."""
    y = operand("isequal", y, x.ndim)
    if x.shape != y.shape or (check_dtype and x.dtype != y.dtype):
        return False
    if x is y and x.dtype.np_type.kind != "f":  # NaN is not equal to itself
        return True
    if "bits" in [z._store.form for z in (x, y) if hasattr(z, "_store")]:
        a, b = x._matrix()._bits(), y._matrix()._bits()
        if a is not None and b is not None:
            return bool(device.word((a.words == b.words).all()))
    if x.ndim == 1 and x.size and x._store.form == y._store.form == "full":
        return bool(Inner(x, y, semiring.land_eq).value)
    return _all(x, y, x.ewise_mult(y, "eq"))


def isclose(x: Any, y: Any, rel_tol: float, abs_tol: float, check_dtype: bool) -> bool:
    """Whether shape and structure agree, and values to a tolerance."""
    from graphblas import binary

    y = operand("isclose", y, x.ndim)
    validation.real(rel_tol, "rel_tol"), validation.real(abs_tol, "abs_tol")
    if x.shape != y.shape or (check_dtype and x.dtype != y.dtype):
        return False
    return _all(x, y, x.ewise_mult(y, binary.isclose(rel_tol, abs_tol)))


def _all(x: Any, y: Any, same: Expression) -> bool:
    nvals = x.nvals
    if nvals != y.nvals:
        return False
    both = same.new(bool)
    return both.nvals == nvals and (not nvals or bool(Reduce(both, "land").new().value))
