"""eWiseUnion as SuiteSparse has it."""

import graphblas as gb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphla.cuda.objects import matrix
from tests.cuda.pairs import MASKS, masked, objects, pair, same, shapes

DEFAULTS = ((0, 1), (2, 0.5), (True, 7))


@pytest.mark.parametrize("form", ["rows", "flat", "vector"])
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_union(form, monkeypatch, data):
    monkeypatch.setattr(matrix, "FLAT_ROWS", 0 if form == "rows" else 64)
    shape = data.draw(shapes(8))
    shape = shape[:1] if form == "vector" else shape
    of_x, of_y = data.draw(st.sampled_from((("INT32", "INT32"), ("INT32", "FP64"))))
    (A, a), (B, b) = data.draw(objects(shape, of_x)), data.draw(objects(shape, of_y))
    (C, c), (M, m) = data.draw(objects(shape, "FP64")), data.draw(objects(shape, "BOOL"))
    left, right = data.draw(st.sampled_from(DEFAULTS))
    kind, plus = data.draw(st.sampled_from(MASKS)), data.draw(st.booleans())
    replace = kind != "none" and data.draw(st.booleans())
    for x, y, mask, out in ((A, B, M, C), (a, b, m, c)):
        accum = gb.binary.plus if plus else None
        union = x.ewise_union(y, gb.binary.minus, left, right)
        out(mask=masked(kind, mask), accum=accum, replace=replace) << union
    same(C, c)


@pytest.mark.parametrize("defaults", DEFAULTS)
def test_type_of_the_result(defaults):
    """A default takes part in the choice of the operator."""
    X, x = pair((4,), [(0,), (2,)], [1, 2], "INT8")
    Y, y = pair((4,), [(1,), (2,)], [5, 6], "INT8")
    for op in (gb.binary.minus, gb.binary.truediv, gb.binary.lt):
        theirs = x.ewise_union(y, op, *defaults).new()
        same(X.ewise_union(Y, op, *defaults).new(), theirs)
        same(op(X | Y, left_default=defaults[0], right_default=defaults[1]).new(), theirs)
