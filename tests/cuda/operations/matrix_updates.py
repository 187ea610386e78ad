"""Random matrices in each storage format, and updates by their results on both engines."""

import graphblas as gb
import pytest
from hypothesis import strategies as st

from graphla.cuda.objects import matrix
from tests.cuda.object_pairs import ACCUMS, MASKS, masked, objects, same, shapes

FORMS = (None, "bitmap")


@pytest.fixture(params=[0, 64], ids=["rows", "flat"], autouse=True)
def flat_rows(request, monkeypatch):
    """Matrices in compressed rows, and in the forms of a vector."""
    monkeypatch.setattr(matrix, "FLAT_ROWS", request.param)


def draw_matrix(data, most=20):
    """A matrix in some form, or a transposed one."""
    ours, theirs = data.draw(objects(data.draw(shapes(most))))
    form = data.draw(st.sampled_from(FORMS))
    if form is not None:
        ours.store(form)
    return (ours.T, theirs.T) if data.draw(st.booleans()) else (ours, theirs)


def update(data, make, A, shape, dtype):
    """Update an object by ``make(A)`` with any mask, accumulator and replace on both engines."""
    kind, m = data.draw(st.sampled_from(MASKS)), data.draw(objects(shape, "INT32"))
    accum = data.draw(st.sampled_from(ACCUMS))
    accum = None if accum is None else getattr(gb.binary, accum)
    replace = data.draw(st.booleans()) and kind != "none"
    both = data.draw(objects(shape, dtype))
    for c, mask, a in zip(both, m, A, strict=True):
        c(mask=masked(kind, mask), accum=accum, replace=replace) << make(a)
    same(*both)
