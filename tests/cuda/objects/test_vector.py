"""Methods of a Vector against python-graphblas."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest
from graphblas import binary

from graphla import cuda
from graphla.cuda import Vector
from graphla.cuda.runtime.device import device
from tests.cuda.launching import launches
from tests.cuda.vector_forms import DTYPES, host, some


@pytest.mark.parametrize("dtype", DTYPES)
def test_values_of_a_full_vector_are_copied_alone(dtype):
    v, out = some(33, dtype, "full"), []
    assert launches(lambda: out.append(v.to_coo(indices=False))) == []
    indices, values = out[0]
    assert indices is None
    assert values.dtype == v.dtype.np_type
    assert device.to_host(values).tolist() == list(host(v).values())
    before = host(v)
    values[0] = 0
    assert host(v) == before
    assert v.to_coo(indices=False, values=False) == (None, None)


@pytest.mark.parametrize("form", ["sparse", "bitmap"])
def test_indices_are_of_64_bits(form):
    v = Vector.from_coo([3, 40_000, 69_999], [1, 2, 3], size=70_000)
    v.store(form)
    indices, _ = v.to_coo()
    assert indices.dtype == np.int64
    assert device.to_host(indices).tolist() == [3, 40_000, 69_999]


def test_build_takes_values():
    for side in (cuda, gb):
        with pytest.raises(TypeError, match="values"):
            side.Vector(int, 3).build([0, 1])
        with pytest.raises(TypeError, match="values"):
            side.Matrix(int, 3, 3).build([0, 1], [1, 2])
        with pytest.raises(TypeError, match="dup_op"):
            side.Vector.from_dict({1: 2}, dup_op=binary.plus)


@pytest.mark.parametrize("dtype", ["INT64", "UINT8", "BOOL"])
def test_an_array_of_another_type_does_not_depend_on_the_form(dtype):
    v = Vector.from_dense(np.array([1e20, np.nan, -3.7]))
    found = []
    for form in ("full", "bitmap", "sparse"):
        v.store(form)
        found.append(device.to_host(v.to_dense(dtype=dtype)).tolist())
    cast = device.to_host(v.dup(dtype=dtype).to_dense()).tolist()
    assert found == [cast] * 3
