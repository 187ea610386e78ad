"""Aggregators, against python-graphblas."""

import graphblas as gb
import numpy as np
import pytest
from graphblas import agg, binary

from graphla import cuda
from graphla.cuda.runtime.device import device
from graphla.errors import InvalidValue, NotSupported
from tests.cuda.object_pairs import pair

NAMES = [k for k, x in vars(agg).items() if isinstance(x, agg.Aggregator)]
NAMES.remove("any_value")  # any of several
OF_INDICES = ["first", "last", "first_index", "last_index", "argmin", "argmax"]
QUICK = ["mean", "first", "argmax", "count"]
POSITIONS = [(0, 1), (0, 3), (1, 1), (3, 0), (3, 2), (3, 3)]
VALUES = [3, 1, 2, 5, 1, 5]


def nearly(ours, theirs):
    """Check that dtype, structure and values agree, sums of floats but for rounding."""
    assert ours.dtype == theirs.dtype
    if theirs.ndim == 0:
        assert (ours.value is None) == (theirs.value is None)
        assert theirs.value is None or np.isclose(ours.value, theirs.value)
        return
    (i, x), (j, y) = (tuple(map(np.asarray, z.to_coo())) for z in (cuda.to_graphblas(ours), theirs))
    np.testing.assert_array_equal(i, j)
    np.testing.assert_allclose(x, y, rtol=1e-6)


def find(name):
    return getattr(agg.ss, name) if name in OF_INDICES else getattr(agg, name)


@pytest.mark.parametrize(
    "name",
    [n if n in QUICK else pytest.param(n, marks=pytest.mark.thorough) for n in NAMES + OF_INDICES],
)
@pytest.mark.parametrize("dtype", ["INT64", "FP32", "UINT8"])
def test_every_aggregator(name, dtype):
    op = find(name)
    A, B = pair((4, 4), POSITIONS, VALUES, dtype)
    v, w = pair((6,), [(1,), (2,), (5,)], [3, 1, 3], dtype)
    if dtype not in op:
        return
    for x, y in ((A, B), (A.T, B.T)):
        nearly(x.reduce_rowwise(op).new(), y.reduce_rowwise(op).new())
        nearly(x.reduce_columnwise(op).new(), y.reduce_columnwise(op).new())
        if name not in OF_INDICES[2:]:
            nearly(x.reduce_scalar(op).new(), y.reduce_scalar(op).new())
    nearly(v.reduce(op).new(), w.reduce(op).new())
    nearly(op(v).new("FP64"), op(w).new("FP64"))
    empty, theirs = cuda.Vector(dtype, 3), gb.Vector(dtype, 3)
    nearly(empty.reduce(op).new(), theirs.reduce(op).new())


def test_masks_and_accumulators():
    A, B = pair((4, 4), POSITIONS, VALUES, "INT64")
    found = []
    for X, side in ((A, cuda), (B, gb)):
        w = side.Vector.from_coo([0, 1, 2], [1.0, 2.0, 3.0], size=4)
        w(w.S, binary.plus) << X.reduce_rowwise(agg.mean)
        found.append(w)
    nearly(*found)


def test_refused():
    A, _ = pair((4, 4), POSITIONS, VALUES, "INT64")
    with pytest.raises(InvalidValue):
        A.reduce_scalar(agg.ss.argmin)
    with pytest.raises(InvalidValue):
        A.reduce_scalar(agg.mean, allow_empty=False)
    own = agg.Aggregator("own", custom=lambda *x, **y: None, types=[binary.plus])
    with pytest.raises(NotSupported, match="own"):
        A.reduce_scalar(own)
    assert device.read_scalar(A.reduce_rowwise("mean").new().to_coo()[1][:1]) == 2
