"""Arrays as arguments: shared only with ``copy=False``; masked ones are refused."""

import graphblas as gb
import numpy as np
import pytest

from graphla.cuda import Vector
from graphla.cuda.runtime.device import device
from graphla.errors import (
    DomainMismatch,
)
from tests.cuda.array_protocols import CudaArray, DLPackArray


@pytest.mark.parametrize("wrap", [CudaArray, DLPackArray, lambda x: x])
def test_arrays_are_shared_only_without_copy(wrap):
    x = device.xp.arange(5.0)
    mine, shared = Vector.from_dense(wrap(x)), Vector.from_dense(wrap(x), copy=False)
    shared(gb.binary.plus) << 10
    assert device.to_host(x).tolist() == [10, 11, 12, 13, 14]
    assert device.to_host(mine.to_dense()).tolist() == [0, 1, 2, 3, 4]
    other = Vector.from_dense(wrap(x), dtype="FP32", copy=False)
    other << 0
    assert device.to_host(x).tolist() == [10, 11, 12, 13, 14]
    assert device.to_host(Vector.from_coo(wrap(x.astype(int)), 1, size=15).to_coo()[0])[0] == 10


def test_arrays_in_foreign_byte_order_and_masked_ones():
    assert device.to_host(Vector.from_dense(np.arange(3, dtype=">i4")).to_dense())[2] == 2
    masked = np.ma.masked_array([1, 2], [False, True])
    for make in (Vector.from_dense, lambda x: Vector.from_coo(x, 1)):
        with pytest.raises(DomainMismatch, match="masked"):
            make(masked)
