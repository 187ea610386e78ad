"""Methods composed of others, against python-graphblas."""

import graphblas as gb
import pytest

from graphla import cuda
from tests.cuda.both_engines import agree
from tests.cuda.object_pairs import same

LINES = [
    "v.outer(f)", "b.outer(b, 'land')", "v.outer(v, 'minus')", "A.power(3)", "A.power(0)",
    "A.power(2, 'min_plus')", "T.power(2)", "A.power(0, 'min_first')", "v.reposition(1)",
    "v.reposition(-2, size=5)", "A.reposition(1, -1)", "A.reposition(0, 2, nrows=2, ncols=9)",
    "A.ewise_add(v)", "v.ewise_add(A)", "v.ewise_mult(A)", "A.ewise_mult(v, 'minus')",
    "T.ewise_union(f, 'minus', 1, 2)", "f.ewise_union(T, 'minus', 1, 2)", "binary.minus(v | A)",
    "monoid.plus((A & v) & v)", "A.select(A.V)", "A.select(B)", "v.select(~v.S)",
    "v.select(v == 2)", "v.select(b.V, 1)", "select.value(v < 2)", "select.row(A <= 1)",
    "select.column(A < 2)", "select.index(v >= 1)", "b.V.new()", "(~b.S).new(int)",
    "b.V.new(mask=v.S, complement=True)", "(b.S & ~v.V).new()", "(~b.S | ~v.V).new()",
    "(b.V | v.S).new()", "(~b.V & ~v.S).new()",
]  # fmt: skip
STATEMENTS = [
    "A.setdiag(3)", "A.setdiag(v)", "A.setdiag([7, 8], k=1)", "A.setdiag(v, accum='plus')",
    "A.setdiag(1, mask=v.S)", "A.setdiag(1, mask=~A.V)", "A.setdiag(1, 3)", "v(b) << 9",
    "v(b, replace) << v", "A(A < 3, binary.plus, replace=True) << A", "v(v) << 9",
    "v.update(v + v)", "v[0].update(4)", "v[[0, 1]].update(4)",
    "v(input_mask=b.S) << v[[2, 1, 0]]", "v(input_mask=B.V) << A[0, :]", "v(input_mask=b.S) << 3",
    "v.build([0, 2], [5, 6], clear=True)", "v.build([0], [5], clear=True, size=1)",
    "A.build([0, 4], [1, 1], [5, 6], clear=True, nrows=5)", "v(nthreads=2) << v", "v(bad=2) << v",
    "v << s", "v << (v @ v)", "s << v[1]", "s(binary.plus) << 3", "del A[0, :]",
]  # fmt: skip


@pytest.mark.parametrize("line", [pytest.param(x, marks=pytest.mark.thorough) for x in LINES])
def test_expressions(line):
    agree(line)


@pytest.mark.parametrize("line", [pytest.param(x, marks=pytest.mark.thorough) for x in STATEMENTS])
def test_statements(line):
    agree(line)


def test_operands_are_read_when_the_expression_is_computed():
    found = []
    for side in (cuda, gb):
        v = side.Vector.from_coo([0, 2], [1, 2], size=3)
        outer = v.outer(v)
        v[1] = 5
        found.append(outer.new())
    same(*found)


def test_a_failed_build_changes_nothing():
    v = cuda.Vector.from_coo([0, 2], [1, 2], size=3)
    with pytest.raises(Exception, match="not in"):
        v.build([9], [1], clear=True, size=2)
    assert (v.size, v.nvals) == (3, 2)
