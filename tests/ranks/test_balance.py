"""Products whose rows move to other ranks: equal results, shared work."""

from __future__ import annotations

import graphblas as gb
import pytest

import graphla as gl
from graphla.ranks import in_process
from tests.ranks.distributed_objects import assert_same, distributed, layout_of


@pytest.mark.parametrize("kind", ["S", "V"])
@pytest.mark.parametrize("semiring", ["plus_pair", "plus_first", "plus_times"])
def test_rows_of_much_work_are_shared(kind, semiring):
    """All work is in the first rows, which one rank has."""
    dense = [[i + j + 1 if i < 4 else 0 for j in range(16)] for i in range(16)]
    A = gb.Matrix.from_dense(dense, missing_value=0)
    M = gb.Matrix.from_dense(dense, missing_value=3)
    op = getattr(gb.semiring, semiring)

    def run(member):
        layout = layout_of(member)
        ours, mask = distributed(layout, A), distributed(layout, M)
        with gl.trace() as steps:
            product = ours.mxm(ours, op).new(mask=getattr(mask, kind))
        here = [s.nnz_in[0] for s in steps if s.operation == "mxm"]
        return product.gathered(), here

    expected = A.mxm(A, op).new(mask=getattr(M, kind))
    for product, entries in in_process(4, run):
        assert_same(product, expected)
        assert entries == [16]  # of the 64 entries, all of which the first rank had


@pytest.mark.parametrize("kind", ["S", "V"])
def test_rows_of_much_work_are_shared_by_the_places_of_the_mask(kind):
    """A product with a transpose reads a row of it for each place of the mask."""
    A = gb.Matrix.from_dense([[1] * 16 for _ in range(16)])
    M = gb.Matrix.from_dense([[int(i < 4)] * 16 for i in range(16)], missing_value=0)
    op = gb.semiring.plus_pair

    def run(member):
        layout = layout_of(member)
        ours, mask = distributed(layout, A), distributed(layout, M)
        with gl.trace() as steps:
            product = ours.mxm(ours.T, op).new(mask=getattr(mask, kind))
        return product.gathered(), [s.nnz_in[0] for s in steps if s.operation == "mxm"]

    expected = A.mxm(A.T, op).new(mask=getattr(M, kind))
    rows = []  # of each rank: one of the four with places, and the last has the others too
    for product, entries in in_process(4, run):
        assert_same(product, expected)
        rows.append(entries[0] // 16)
    assert rows == [1, 1, 1, 13]


def test_output_without_entries_takes_rows_where_they_are():
    """One exchange moves the rows to other ranks, and none the result; later statements agree."""
    dense = [[i + j + 1 if i < 4 else 0 for j in range(16)] for i in range(16)]
    A = gb.Matrix.from_dense(dense, missing_value=0)
    times, plus = gb.binary.times, gb.monoid.plus

    def statements(A, C):
        found = []
        C(A.S) << A.mxm(A.T, gb.semiring.plus_times)
        found += [C.dup(), C.reduce_scalar(plus).new().value, C.reduce_rowwise(plus).new()]
        found += [C.ewise_mult(A, times).new(), A.ewise_add(C, plus).new(), C.T.new()]
        C(A.S, plus) << A.mxm(A.T, gb.semiring.plus_times)  # has entries
        found.append(C.dup())
        C << C.apply(times, right=2)
        found.append(C.dup())
        C.clear()
        C[[0, 3], :] << A[[1, 2], :].new()
        return [*found, C.dup()]

    def run(member):
        layout = layout_of(member)
        ours = distributed(layout, A)
        C = ours.dup("FP64", clear=True)
        with gl.trace() as steps:
            C(ours.S) << ours.mxm(ours.T, gb.semiring.plus_times)
        exchanges = [s.kernel for s in steps if s.operation == "alltoall"]
        C.clear()
        found = statements(ours, ours.dup("FP64", clear=True))
        return exchanges, [x.gathered() if hasattr(x, "gathered") else x for x in found]

    expected = statements(A, A.dup("FP64", clear=True))
    for exchanges, found in in_process(4, run):
        assert exchanges == ["redistribute"] * 2  # the lengths of the rows, and their entries
        for ours, theirs in zip(found, expected, strict=True):
            if hasattr(theirs, "shape"):
                assert_same(ours, theirs)
            else:
                assert ours == theirs
