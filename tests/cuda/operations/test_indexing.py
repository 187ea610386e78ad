"""An assignment that fails at any of its allocations leaves the output as it was."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.cuda import Matrix, Vector
from graphla.cuda.runtime.device import device
from graphla.errors import OutOfDeviceMemory
from tests.cuda.simulator import Arrays, Simulator


@pytest.fixture
def failing(monkeypatch):
    """Return a function that lets the k-th allocation from now on fail."""
    monkeypatch.setattr(device, "active", Simulator())
    left = []

    def fail_at(k):
        left[:] = [k]

    made = Arrays.made

    def counted(self, *args):
        if left:
            left[0] -= 1
            if left[0] == 0:
                raise device.out_of_memory(1, 1)
        return made(self, *args)

    monkeypatch.setattr(Arrays, "made", counted)
    return fail_at


def vector(form):
    v = Vector.from_dense(np.arange(1.0, 9.0)) if form == "full" else Vector("FP64", 8)
    if form != "full":
        v.store(form)
        v[1], v[6] = 2.0, 7.0
    return v


CASES = {
    "replace": lambda v, m: v(m.S, replace=True)[:3] << 5.0,
    "replace and accumulate": lambda v, m: v("plus", mask=m.V, replace=True)[[0, 2, 5]] << 5.0,
    "complement": lambda v, m: v(~m.S, replace=True)[2:] << 5.0,
    "mask of the region": lambda v, m: v[:8](m.S, replace=True) << 5.0,
    "keys in an array": lambda v, m: v[np.array([3, 1])] << 5.0,
    "values in an array": lambda v, m: v[:3] << np.ones(3),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("form", ["sparse", "bitmap", "full"])
def test_a_vector_is_unchanged(failing, form, case):
    m = Vector.from_coo([0, 3, 4], [True, False, True], size=8)
    m.store("bitmap")
    expected = vector(form).to_coo()
    for k in range(1, 200):
        v = vector(form)
        failing(k)
        try:
            CASES[case](v, m)
        except OutOfDeviceMemory:
            failing(0)
        else:
            break
        for got, want in zip(v.to_coo(), expected, strict=True):
            np.testing.assert_array_equal(got, want)
    assert k < 199  # at last no allocation fails; 1: nothing is allocated


@pytest.mark.parametrize("form", ["sparse", "bitmap", "full"])
def test_a_row_of_a_matrix_is_unchanged(failing, form):
    def make():
        A = Matrix.from_dense(np.arange(1.0, 13.0).reshape(3, 4))
        A.store(form)
        return A

    m = Vector.from_coo([0, 2], [True, True], size=4)
    expected = make().to_dense(fill_value=0)
    for k in range(1, 200):
        A = make()
        failing(k)
        try:
            A(m.S, replace=True)[1, :2] << 5.0
        except OutOfDeviceMemory:
            failing(0)
        else:
            break
        np.testing.assert_array_equal(A.to_dense(fill_value=0), expected)
    assert k < 199  # at last no allocation fails; 1: nothing is allocated
