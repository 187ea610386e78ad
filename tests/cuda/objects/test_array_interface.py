"""A full Vector as an array, by CUDA's array interface and DLPack."""

import pytest

from graphla.cuda import Vector
from graphla.cuda.runtime.device import device
from graphla.errors import (
    InvalidValue,
)


def test_a_full_vector_is_an_array():
    v = Vector.from_coo([0, 1, 2], [1.5, 2.5, 3.5])
    x = device.xp.from_dlpack(v)
    assert device.to_host(x).tolist() == [1.5, 2.5, 3.5]
    x[:] = 4
    assert device.to_host(v.to_dense()).tolist() == [4, 4, 4]
    assert v.__dlpack_device__() == v.to_dense().__dlpack_device__()


@pytest.mark.gpu
def test_a_full_vector_has_the_interface_of_cuda():
    v = Vector.from_coo([0, 1, 2], [1.5, 2.5, 3.5])
    x = device.xp.asarray(v)
    x += 1
    assert v.to_dense().get().tolist() == [2.5, 3.5, 4.5]


def test_a_vector_with_gaps_is_no_array():
    v = Vector.from_coo([0, 2], [1, 2])
    with pytest.raises(InvalidValue, match=r"2 of 3 entries.*to_dense\(fill_value"):
        v.__dlpack__()
    with pytest.raises(InvalidValue, match="to_dense"):
        v.__cuda_array_interface__
