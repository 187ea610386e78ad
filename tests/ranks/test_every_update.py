"""Every operation with masks, accumulators, `replace` and numbers of ranks, beside SuiteSparse."""

from __future__ import annotations

from typing import NamedTuple

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.core.engines import on_host
from graphla.ranks import in_process
from tests.cuda.object_pairs import MASKS, masked
from tests.ranks.distributed_objects import assert_same, cuts, distributed, layout_of, objects
from tests.strategies import examples

NUMBERS = ("INT64", "FP64")
ANY = (*NUMBERS, "BOOL")
ACCUMS = (None, gb.binary.plus, gb.binary.second, gb.binary.min)


class Operation(NamedTuple):
    """A formula of operands of these shapes, and the shape of its result."""

    formula: object
    operands: tuple[tuple[int, ...], ...]
    shape: tuple[int, ...]
    dtypes: tuple[str, ...] = NUMBERS


V, W, M, N, L, Q = (6,), (4,), (6, 4), (4, 5), (6, 5), (6, 6)
plus, times, plus_times = gb.monoid.plus, gb.binary.times, gb.semiring.plus_times
OPERATIONS = {
    "object": Operation(lambda u: u, (V,), V, ANY),
    "scalar": Operation(lambda u: 2, (V,), V),
    "apply": Operation(lambda u: u.apply(gb.unary.identity), (V,), V, ANY),
    "apply right": Operation(lambda u: u.apply(times, right=2), (V,), V),
    "apply left": Operation(lambda A: A.apply(gb.binary.minus, left=2), (M,), M),
    "row index": Operation(lambda u: u.apply(gb.indexunary.rowindex), (V,), V),
    "row index matrix": Operation(lambda A: A.apply(gb.indexunary.rowindex, 1), (M,), M),
    "column index": Operation(lambda A: A.apply(gb.indexunary.colindex, 2), (M,), M),
    "diagonal index": Operation(lambda A: A.apply(gb.indexunary.diagindex), (M,), M, ("INT64",)),
    "select": Operation(lambda u: u.select("!=", 1), (V,), V, ANY),
    "select index": Operation(lambda u: u.select(gb.select.indexle, 3), (V,), V),
    "select row": Operation(lambda A: A.select(gb.select.rowgt, 2), (M,), M, ANY),
    "select column": Operation(lambda A: A.select(gb.select.colle, 2), (M,), M),
    "select tril": Operation(lambda A: A.select(gb.select.tril, -1), (M,), M, ANY),
    "select triu": Operation(lambda A: A.select("triu", 1), (M,), M),
    "select offdiag": Operation(lambda A: A.select(gb.select.offdiag), (M,), M),
    "ewise_add": Operation(lambda u, v: u.ewise_add(v, plus), (V, V), V),
    "ewise_add matrix": Operation(lambda A, B: A.ewise_add(B, plus), (M, M), M),
    "ewise_mult": Operation(lambda u, v: u.ewise_mult(v, times), (V, V), V),
    "ewise_mult matrix": Operation(lambda A, B: A.ewise_mult(B, times), (M, M), M),
    "ewise_union": Operation(lambda u, v: u.ewise_union(v, times, 2, 3), (V, V), V),
    "infix": Operation(lambda A, B: plus(A | B), (M, M), M),
    "infix product": Operation(lambda A, B: plus_times(A @ B), (M, N), L),
    "mxv": Operation(lambda A, u: A.mxv(u, plus_times), (M, W), V),
    "mxv transposed": Operation(lambda A, u: A.T.mxv(u, plus_times), (M, V), W),
    "mxv pair": Operation(lambda A, u: A.mxv(u, gb.semiring.plus_pair), (M, W), V, ANY),
    "mxv position": Operation(lambda A, u: A.mxv(u, gb.semiring.ss.min_secondi), (M, W), V),
    "mxv row": Operation(lambda A, u: A.mxv(u, gb.semiring.ss.max_firsti), (M, W), V),
    "vxm": Operation(lambda u, A: u.vxm(A, gb.semiring.min_first), (V, M), W),
    "vxm position": Operation(lambda u, A: u.vxm(A, gb.semiring.ss.max_secondi), (V, M), W, ANY),
    "vxm column": Operation(lambda u, A: u.vxm(A, gb.semiring.ss.min_secondj), (V, M), W),
    "mxm": Operation(lambda A, B: A.mxm(B, plus_times), (M, N), L),
    "mxm pair": Operation(lambda A, B: A.mxm(B, gb.semiring.plus_pair), (M, N), L, ANY),
    "mxm transposed": Operation(lambda A, B: A.mxm(B.T, gb.semiring.max_plus), (M, (5, 4)), L),
    "mxm row": Operation(lambda A, B: A.mxm(B, gb.semiring.ss.min_firsti), (M, N), L),
    "mxm column": Operation(lambda A, B: A.mxm(B, gb.semiring.ss.max_secondj), (M, N), L),
    "kronecker": Operation(lambda A, B: A.kronecker(B, times), ((2, 3), (3, 2)), (6, 6)),
    "transpose": Operation(lambda A: A.T, (M,), (4, 6), ANY),
    "reduce rows": Operation(lambda A: A.reduce_rowwise(plus), (M,), V),
    "reduce columns": Operation(lambda A: A.reduce_columnwise(gb.monoid.max), (M,), W),
    "diagonal": Operation(lambda A: A.diag(), (Q,), V),
    "diagonal matrix": Operation(lambda u: u.diag(), (V,), Q),
    "extract": Operation(lambda u: u[[4, 0, 0, 3]], (V,), W),
    "extract slice": Operation(lambda u: u[1:5], (V,), W),
    "extract matrix": Operation(lambda A: A[[5, 1], 1:], (M,), (2, 3), ANY),
    "extract rows": Operation(lambda A: A[[2, 2, 0, 5, 1], :], (M,), (5, 4)),
    "extract columns": Operation(lambda A: A[:, [3, 0]], (M,), (6, 2)),
    "permute": Operation(lambda A: A[[3, 1, 0, 5, 4, 2], [3, 1, 0, 5, 4, 2]], (Q,), Q, ANY),
}


@pytest.mark.parametrize("name", OPERATIONS)
@examples(8)
@given(data=st.data())
def test_update(name, data):
    check_update(name, data)


@pytest.mark.thorough
@pytest.mark.parametrize("name", OPERATIONS)
@examples(80)
@given(data=st.data())
def test_many_updates(name, data):
    check_update(name, data)


def check_update(name, data, engine="cpu"):
    operation, draw = OPERATIONS[name], data.draw
    dtypes = st.sampled_from(operation.dtypes)
    inputs = [draw(objects(shape, draw(dtypes))) for shape in operation.operands]
    C = draw(objects(operation.shape, draw(dtypes)), "C")
    mask, accum = draw(st.sampled_from(MASKS)), draw(st.sampled_from(ACCUMS))
    replace = mask != "none" and draw(st.booleans(), "replace")
    M = draw(objects(operation.shape), "mask")
    ranks = draw(st.sampled_from((1, 2, 3, 8)), "ranks")
    boundaries = draw(cuts(range(1, 7), ranks))
    axes = [draw(st.integers(0, x.ndim - 1), "axis") for x in (*inputs, C, M)]
    whole = [x.dup() for x in inputs]

    def run(member):
        layout = layout_of(member, boundaries)
        blocks = [
            distributed(layout, x, axis) for x, axis in zip((*whole, C, M), axes, strict=True)
        ]
        *operands, ours, selector = blocks
        options = {"mask": masked(mask, selector), "accum": accum, "replace": replace}
        ours(**options) << operation.formula(*operands)
        ours.gathered().clear()  # a copy on one rank too
        for before, after in zip((*whole, M), (*operands, selector), strict=True):
            assert_same(on_host(after.gathered()), before)
        value = operation.formula(*operands)
        new = value.new() if hasattr(value, "new") else None
        return on_host(ours.gathered()), new if new is None else on_host(new.gathered())

    found = in_process(ranks, run, engine=engine, check_calls=True)
    expected = C.dup()
    value = operation.formula(*inputs)
    if hasattr(value, "new"):
        # first, as SuiteSparse accumulates some products of mixed dtypes without conversion
        value = value.new()
    expected(mask=masked(mask, M), accum=accum, replace=replace) << value
    for ours, new in found:
        assert_same(ours, expected)
        if new is not None:
            assert_same(new, value)


ELEMENTWISE = [x for x in OPERATIONS if x.startswith(("apply", "select", "ewise", "row index"))]


@pytest.mark.parametrize("name", ELEMENTWISE)
@examples(6)
@given(data=st.data())
def test_an_expression_is_evaluated_again(name, data):
    check_repeated(name, data)


def check_repeated(name, data, engine="cpu"):
    """Evaluate with what the operands have by then, and into outputs of other dtypes."""
    operation, draw = OPERATIONS[name], data.draw
    dtypes = [draw(st.sampled_from(operation.dtypes)) for _ in operation.operands]
    rounds = [
        [draw(objects(*x)) for x in zip(operation.operands, dtypes, strict=True)] for _ in range(3)
    ]
    outputs = [draw(objects(operation.shape)) for _ in rounds]
    boundaries = draw(cuts(range(1, 7), 2))

    def evaluated(object_of, result_of):
        """Return the outputs of an expression that is made before the rounds."""
        operands = [object_of(x) for x in rounds[0]]
        value, found = operation.formula(*operands), []
        for entries, output in zip(rounds, outputs, strict=True):
            for x, y in zip(operands, entries, strict=True):
                x << object_of(y)
            found.append(object_of(output))
            found[-1] << result_of(value)
        return found

    def run(member):
        layout = layout_of(member, boundaries)
        return [
            on_host(x.gathered())
            for x in evaluated(lambda x: distributed(layout, x.dup()), lambda value: value)
        ]

    # SuiteSparse may write beyond an output of one value (docs/upstream.md)
    expected = evaluated(lambda x: x.dup(), lambda value: value.new())
    for found in in_process(2, run, engine=engine):
        for ours, theirs in zip(found, expected, strict=True):
            assert_same(ours, theirs)


def test_an_expression_reads_a_scalar_at_each_evaluation():
    def run(member):
        u = distributed(layout_of(member), gb.Vector.from_dense([1.0, 2.0, 3.0]))
        number = member.communicator.blocks.objects.Scalar.from_value(1.0)
        added, out, found = u.apply(gb.binary.plus, right=number), u.dup(), []
        for value in (1.0, 5.0):
            number.value = u[0] = value
            out << added
            found.append(out.to_dense().tolist())
        return found

    for found in in_process(2, run):
        assert found == [[2, 3, 4], [10, 7, 8]]


@pytest.mark.parametrize("name", ["ewise_add", "ewise_mult", "ewise_union"])
def test_an_output_of_one_value_is_overwritten(name):
    """SuiteSparse would write beyond it (docs/upstream.md)."""
    n = 100_000
    x, y = (np.random.default_rng(k).random(n) for k in (1, 2))
    defaults = (0, 0) if name == "ewise_union" else ()

    def run(member):
        layout = layout_of(member)
        u, v = (distributed(layout, gb.Vector.from_dense(values)) for values in (x, y))
        out = distributed(layout, gb.Vector.from_scalar(1.0, n))
        out << getattr(u, name)(v, gb.binary.plus, *defaults)
        return out.to_dense()

    for found in in_process(2, run):
        np.testing.assert_array_equal(found, x + y)


@pytest.mark.parametrize("axis", [0, 1])
def test_a_product_of_mixed_dtypes_is_accumulated(axis):
    """SuiteSparse would take the bits of the integer 1 for a float."""
    boundaries = {6: np.array([0, 0, 6]), 4: np.array([0, 1, 4])}
    u = gb.Vector.from_coo([0, 1], [1, 0], "INT64", size=6)
    A = gb.Matrix.from_coo([0], [0], 0.0, "FP64", nrows=6, ncols=4)
    C = gb.Vector.from_coo([0], 3.0, "FP64", size=4)

    def run(member):
        layout = layout_of(member, boundaries)
        ours, v = distributed(layout, C), distributed(layout, u)
        ours(gb.binary.min) << v.vxm(distributed(layout, A, axis), gb.semiring.min_first)
        return ours.gathered()

    for found in in_process(2, run):
        assert found.isequal(gb.Vector.from_coo([0], 1.0, "FP64", size=4))


ASSIGNMENTS = {
    "vector": (V, lambda u, x: u[[4, 1, 3, 0]].__lshift__(x), W),
    "slice": (V, lambda u, x: u[2:6].__lshift__(x), W),
    "accumulated": (V, lambda u, x: u[[5, 0, 2, 1]](gb.binary.plus) << x, W),
    "rows": (M, lambda A, x: A[[3, 0], :].__lshift__(x), (2, 4)),
    "rows accumulated": (M, lambda A, x: A[[1, 4], :](gb.binary.plus) << x, (2, 4)),
    "columns": (M, lambda A, x: A[:, [2, 0, 1]].__lshift__(x), (6, 3)),
    "all, masked": (V, lambda u, x: u(x.V, replace=True)[:].__lshift__(x), V),
    "all of a matrix, masked": (M, lambda A, x: A(~x.S, gb.binary.plus)[:, :].__lshift__(x), M),
    "number at a mask": (V, lambda u, x: u(x.S, replace=True).__setitem__(slice(None), 3), V),
    "place": (M, lambda A, x: A[[3], [2]].__lshift__(x), (1, 1)),
}


@pytest.mark.parametrize("name", ASSIGNMENTS)
@examples(10)
@given(data=st.data())
def test_assignment(name, data):
    shape, assign, region = ASSIGNMENTS[name]
    C, x = data.draw(objects(shape)), data.draw(objects(region))
    ranks = data.draw(st.sampled_from((1, 2, 3, 8)), "ranks")
    boundaries = data.draw(cuts(range(1, 7), ranks))
    axes = [data.draw(st.integers(0, y.ndim - 1), "axis") for y in (C, x)]

    def run(member):
        layout = layout_of(member, boundaries)
        ours, value = (distributed(layout, y, k) for y, k in zip((C, x), axes, strict=True))
        assign(ours, value)
        return ours.gathered()

    found = in_process(ranks, run)
    expected = C.dup()
    assign(expected, x)
    for ours in found:
        assert_same(ours, expected)


@examples(20)
@given(data=st.data())
def test_values(data):
    """Reductions, inner products, counts and single entries are equal on every rank."""
    u, v, A = (data.draw(objects(shape, "INT64")) for shape in (V, V, M))
    ranks = data.draw(st.sampled_from((1, 2, 3, 8)), "ranks")
    boundaries = data.draw(cuts(range(1, 7), ranks))
    axis = data.draw(st.integers(0, 1), "axis")

    def values(u, v, A):
        return [
            u.nvals,
            A.nvals,
            u.reduce().new().value,
            u.reduce(gb.monoid.min).new().value,
            A.reduce_scalar(gb.monoid.max).new().value,
            u.select(">", 3).new().reduce(gb.monoid.min).new().value,
            u.select(">", 2).new().reduce(gb.monoid.min, allow_empty=False).new().value,
            A.select(">", 3).new().reduce_scalar(gb.monoid.max, allow_empty=False).new().value,
            u.inner(v, plus_times).new().value,
            u.inner(v, gb.semiring.ss.min_secondi).new().value,
            u[3].new().value,
            A[4, 2].new().value,
            u.isequal(v),
            u.isequal(u.dup()),
            A.isequal(A.dup()),
            A.T.new().nvals,
        ]

    def run(member):
        layout = layout_of(member, boundaries)
        return values(distributed(layout, u), distributed(layout, v), distributed(layout, A, axis))

    for found in in_process(ranks, run, check_calls=True):
        assert found == values(u, v, A)


@pytest.mark.parametrize("form", ["bitmap", "full"])
def test_sums_of_blocks_without_rows(form):
    """A rank without rows adds nothing to the sums of the columns."""
    A = gb.Matrix.from_dense([[0, 1], [1, 0]])

    def run(member):
        ours = distributed(layout_of(member), A)
        ours.store(form)
        ours << 1
        return [
            ours.reduce_columnwise(plus).new().to_dense().tolist(),
            ours.T.mxv(full_vector(ours), plus_times).new().to_dense().tolist(),
            ours.reduce_scalar(plus).new().value,
            ours.T.mxm(ours, plus_times).new().to_dense().tolist(),
        ]

    def full_vector(ours):
        ones = ours.objects.Vector("INT64", 2)
        ones << 1
        return ones

    for found in in_process(5, run):
        assert found == [[2, 2], [2, 2], 4, [[2, 2], [2, 2]]]
