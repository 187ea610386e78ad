"""Kronecker products against python-graphblas."""

import graphblas as gb
from hypothesis import given
from hypothesis import strategies as st

from tests.cuda.object_pairs import same
from tests.cuda.operations.matrix_updates import (
    draw_matrix,
    flat_rows,  # noqa: F401
    update,
)
from tests.cuda.random_updates import EXAMPLES


@given(st.data())
@EXAMPLES
def test_kronecker(data):
    A, B = draw_matrix(data, 5), draw_matrix(data, 5)
    op = getattr(gb.binary, data.draw(st.sampled_from(["times", "plus", "first", "minus"])))
    want = A[1].kronecker(B[1], op).new()
    same(A[0].kronecker(B[0], op).new(), want)
    update(
        data,
        lambda pair: pair[0].kronecker(pair[1], op),
        tuple(zip(A, B, strict=True)),
        want.shape,
        "FP64",
    )
