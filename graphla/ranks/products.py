"""Products of distributed objects.

The owner of an output computes it where the matrix is cut along the output: the vector is
gathered. Otherwise each rank multiplies what it has, and the owners add up the parts. Ranks on
devices keep their part of a symmetric matrix by rows and by columns, if they have the memory: then
a vector on the left is gathered, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.errors import DimensionMismatch
from graphla.ranks.balance import balanced_product
from graphla.ranks.blocks.operators import (
    FIRST,
    SECOND,
    index_of,
    reads,
    refuse_positional,
    typed_monoid,
    typed_semiring,
)
from graphla.ranks.collectives.exchange import fold_partial, owned_block
from graphla.ranks.collectives.gather import gather_matrix, gather_vector
from graphla.ranks.collectives.reductions import fold_values, shifted, shifted_scalar
from graphla.ranks.statements import Expression, Product, ScalarExpression, operand


def mxv(A: Any, u: Any, op: Any) -> Expression:
    """Return the expression A u."""
    u = operand(u, 1, "mxv")
    _check("mxv", A, u)

    def evaluate(_: int) -> Any:
        semiring = typed_semiring(op, A.dtype, u.dtype)
        index = index_of(semiring)
        if A.axis == 0:
            whole = gather_vector(u, "mxv", with_values=reads(semiring, SECOND), reader=_stored(A))
            product = A.local(0).mxv(whole, semiring)
            product = shifted(product, A._start(0)[0] if index == "row" else None, semiring.monoid)
            return with_conversion(product, semiring, A.dtype, u.dtype)
        part = u.cut_as(A.layout)
        product = A.local(1).mxv(part.block, semiring)
        product = shifted(product, part.first if index == "inner" else None, semiring.monoid)
        return fold_partial(A.layout, product.new(), semiring.monoid, "mxv")

    return Expression(A.layout, "mxv", A.shape[:1], evaluate, product=Product(A, u, op, False))


def vxm(u: Any, A: Any, op: Any) -> Expression:
    """Return the expression u' A."""
    A = operand(A, 2, "vxm")
    _check("vxm", u, A)

    def evaluate(_: int) -> Any:
        semiring = typed_semiring(op, u.dtype, A.dtype)
        index = index_of(semiring)
        if A.axis == 1 or A._make_both_blocks():
            reader = _stored(A) if A.axis == 1 else None
            whole = gather_vector(u, "vxm", with_values=reads(semiring, FIRST), reader=reader)
            product = whole.vxm(A.local(1), semiring)
            shift = A._start(1)[1] if index == "column" else None
            product = shifted(product, shift, semiring.monoid)
            return with_conversion(product, semiring, u.dtype, A.dtype)
        part = u.cut_as(A.layout)
        product = part.block.vxm(A.local(0), semiring)
        product = shifted(product, part.first if index == "inner" else None, semiring.monoid)
        return fold_partial(A.layout, product.new(), semiring.monoid, "vxm")

    return Expression(A.layout, "vxm", A.shape[1:], evaluate, product=Product(A, u, op, True))


def inner(u: Any, v: Any, op: Any) -> ScalarExpression:
    """Return the expression u' v."""
    v = operand(v, 1, "inner")
    _check("inner", u, v)

    def work() -> Any:
        semiring = typed_semiring(op, u.dtype, v.dtype)
        local = u.block.inner(v.cut_as(u.layout).block, semiring).new()
        shift = u.first if index_of(semiring) == "inner" else None
        local = shifted_scalar(local, shift, semiring.monoid)
        return fold_values(u.layout.communicator, "inner", local, semiring.monoid)

    return ScalarExpression(u.layout, "inner", work)


def mxm(A: Any, B: Any, op: Any) -> Expression:
    """Return the expression A B.

    The rows of a result that is cut into rows need those rows of A and all of B; the columns of
    one that is cut into columns need all of A and those columns of B.
    """
    B = operand(B, 2, "mxm")
    _check("mxm", A, B)

    def cheaper_axis() -> int:
        """Return the cut for which fewer entries move."""
        rows = B.nvals + (0 if A.axis == 0 else A.nvals)
        columns = A.nvals + (0 if B.axis == 1 else B.nvals)
        return int(columns < rows)

    def evaluate(axis: int) -> Any:
        semiring = typed_semiring(op, A.dtype, B.dtype)
        index = index_of(semiring)
        if axis == 0:
            whole = gather_matrix(B, "mxm", with_values=reads(semiring, SECOND))
            product = A.local(0).mxm(whole, semiring)
            product = shifted(product, A._start(0)[0] if index == "row" else None, semiring.monoid)
            return with_conversion(product, semiring, A.dtype, B.dtype)
        whole = gather_matrix(A, "mxm", with_values=reads(semiring, FIRST))
        right = B.cut_as(A.layout)
        product = whole.mxm(right.local(1), semiring)
        shift = right._start(1)[1] if index == "column" else None
        product = shifted(product, shift, semiring.monoid)
        return with_conversion(product, semiring, A.dtype, B.dtype)

    def evaluate_masked(axis: int, mask: Any, options: Any) -> Any:
        semiring = typed_semiring(op, A.dtype, B.dtype)
        if axis or mask.complement or semiring.is_positional or A.layout.communicator.size == 1:
            return evaluate(axis)
        whole = gather_matrix(B, "mxm", with_values=reads(semiring, SECOND))
        by_dots = B.transposed_of is not None
        return balanced_product(A, whole, semiring, mask, options, by_dots=by_dots)

    shape = (A.nrows, B.ncols)
    return Expression(A.layout, "mxm", shape, evaluate, cheaper_axis, evaluate_masked, op=op)


def kronecker(A: Any, B: Any, op: Any) -> Expression:
    """Return the Kronecker product of A and B: every rank multiplies all of A by its block of B."""
    refuse_positional(op)
    B = operand(B, 2, "kronecker")
    A.layout.require_same_ranks(B.layout, "kronecker")
    shape = (A.nrows * B.nrows, A.ncols * B.ncols)

    def evaluate(axis: int) -> Any:
        whole = gather_matrix(A, "kronecker")
        product = whole.kronecker(B.cut_as(A.layout).local(axis), op).new()
        if A.layout.communicator.size == 1:
            return product
        ends = list(product.to_coo())
        values = ends.pop()
        length, own = B.shape[axis], B.cut_as(A.layout).local(axis).shape[axis]
        position, own = ends[axis].astype(np.int64), max(own, 1)
        outer, inner_index = position // own, position % own
        ends[axis] = outer * length + inner_index + A.layout.piece(length)[0]
        return owned_block(A.layout, "kronecker", ends, values, product.dtype, shape, axis)

    return Expression(A.layout, "kronecker", shape, evaluate)


def reduce_along(A: Any, op: Any, axis: int, name: str) -> Expression:
    """Return the sums of the rows (axis 0), or of the columns (1), over a monoid."""

    def evaluate(_: int) -> Any:
        monoid = typed_monoid(op, A.dtype)
        sums = getattr(A.local(A.axis), name)(monoid)
        return sums if A.axis == axis else fold_partial(A.layout, sums.new(), monoid, name)

    return Expression(A.layout, name, (A.shape[axis],), evaluate, op=op)


def with_conversion(product: Any, semiring: Any, left: Any, right: Any) -> Any:
    """Return a product, which is computed if an operand of another dtype is read.

    SuiteSparse 9.4.5 accumulates such a product into a full object without converting the operand
    (docs/upstream.md). `left` and `right` are the dtypes of the operands.
    """
    converts = any(
        dtype != semiring.type and reads(semiring, side)
        for dtype, side in ((left, FIRST), (right, SECOND))
    )
    return product.new() if converts else product


def _stored(A: Any) -> Any:
    """Return a Matrix, or the one of which this is the transpose."""
    return A if A.transposed_of is None else A.transposed_of


def _check(operation: str, left: Any, right: Any) -> None:
    """Refuse operands whose inner dimensions differ."""
    if left.shape[-1] != right.shape[0]:
        raise DimensionMismatch(f"{operation}: objects of {left.shape} and {right.shape}")
    left.layout.require_same_ranks(right.layout, operation)
