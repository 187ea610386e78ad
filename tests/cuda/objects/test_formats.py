"""Other forms of a Matrix, there and back, against python-graphblas."""

import graphblas as gb
import numpy as np
import pytest

from graphla import cuda
from graphla.cuda.runtime.device import device
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidValue
from tests.cuda.object_pairs import equal, pair

POSITIONS, VALUES = [(0, 1), (0, 3), (2, 1), (3, 0)], [3, 1, 2, 5]


@pytest.mark.parametrize("form", ["coo", "csr", "csc", "dcsr", "dcsc", "edgelist", "dicts"])
def test_there_and_back(form):
    A, B = pair((4, 5), POSITIONS, VALUES, "INT64")
    for x, y in ((A, B), (A.T, B.T)):
        ours, theirs = (getattr(z, f"to_{form}")() for z in (x, y))
        if form == "dicts":
            assert ours == theirs
            equal(cuda.Matrix.from_dicts(ours), gb.Matrix.from_dicts(theirs))
            equal(
                cuda.Matrix.from_dicts(ours, order="col"), gb.Matrix.from_dicts(theirs, order="col")
            )
            continue
        for a, b in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(device.to_host(a), b)
        equal(
            getattr(cuda.Matrix, f"from_{form}")(*ours), getattr(gb.Matrix, f"from_{form}")(*theirs)
        )


def test_edges():
    for edges in ([(0, 1), (2, 3)], [(0, 1, 5), (2, 3, 6)], np.array([[0, 1], [2, 3]])):
        equal(cuda.Matrix.from_edgelist(edges), gb.Matrix.from_edgelist(edges))
    assert cuda.Vector.from_coo([1, 3], [5, 6], size=4).to_dict() == {1: 5, 3: 6}


def test_refused():
    M = cuda.Matrix
    for error, call in (
        (InvalidValue, lambda: M.from_dcsr([0], [0, 1, 2], [0, 1], [1, 2])),
        (InvalidValue, lambda: M.from_dcsr([0, 1], [0, 2, 1], [0, 1], [1, 2])),
        (InvalidValue, lambda: M.from_dcsr([0, 1], [1, 2, 3], [0, 1], [1, 2])),
        (DomainMismatch, lambda: M.from_dicts({0: {1.5: 3}})),
        (InvalidValue, lambda: M.from_csr([0, 1], [0], [1], nrows=3)),
        (InvalidValue, lambda: M.from_dicts({0: {1: 2}}, order="best")),
        (InvalidValue, lambda: M.from_dicts([{0: 1}], nrows=4)),
        (DomainMismatch, lambda: M.from_dicts({0: 3})),
        (DimensionMismatch, lambda: M.from_edgelist(np.arange(4))),
        (InvalidValue, lambda: M.from_edgelist(np.ones((2, 3), int))),
        (DomainMismatch, lambda: M.from_edgelist([(0, 1, 2)], values=3)),
    ):
        with pytest.raises(error):
            call()
