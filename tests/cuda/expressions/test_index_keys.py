"""Keys between brackets: integers, slices and arrays, and those that are refused."""

import graphblas as gb
import numpy as np
import pytest

from graphla.cuda import Matrix, Scalar, Vector
from graphla.cuda.objects import matrix
from graphla.errors import DimensionMismatch, DomainMismatch, EngineMismatch, InvalidIndex
from tests.cuda.both_engines import agree

SCALARS = ["s", "half", "yes", "v.reduce()", "f.reduce()", "b.reduce(monoid.lor)", "f[1]", "v[0]"]


@pytest.mark.parametrize("key", SCALARS)
def test_a_scalar_that_is_an_index_is_an_integer(key):
    integer = key in ("s", "v[0]")
    if key != "v.reduce()":  # 3, beyond the end
        for line in (f"v[{key}].new()", f"A[{key}, 0].new()", f"v.get({key})"):
            agree(line, refused=not integer)
        agree(f"v[{key}] = 7", refused=not integer)
        agree(f"({key}) in v", refused=not integer)
    if integer:
        agree(f"v[:{key}].new()", refused=False)


@pytest.mark.parametrize("value", [Scalar("FP64", 1.7), Scalar("FP32", 1.0)])
def test_a_float_is_no_index(value):
    v = Vector.from_coo([0, 1], [1, 2], size=3)
    for ask in (lambda: v[value], lambda: v[:value], lambda: range(3)[value]):
        with pytest.raises(DomainMismatch):
            ask()
    with pytest.raises(DomainMismatch, match="not an index"):
        v[gb.Scalar.from_value(1.7)]


BAD = {
    "beyond": (lambda v, A: v[[0, 9]] << 1, InvalidIndex),
    "beyond by one": (lambda v, A: v[4] << 1, InvalidIndex),
    "before": (lambda v, A: A[:, np.array([-6])] << 1, InvalidIndex),
    "before by one": (lambda v, A: A[-4, 0] << 1, InvalidIndex),
    "unsigned": (lambda v, A: v[np.array([2**63], np.uint64)] << 1, InvalidIndex),
    "small type": (lambda v, A: v[np.array([5], np.int8)] << 1, InvalidIndex),
    "two keys": (lambda v, A: v[0, 1] << 1, DomainMismatch),
    "one key": (lambda v, A: A[0] << 1, DomainMismatch),
    "floats": (lambda v, A: v[[0.5]] << 1, DomainMismatch),
    "Booleans": (lambda v, A: v[np.array([True])] << 1, DomainMismatch),
    "a vector": (lambda v, A: v[v] << 1, DomainMismatch),
    "short value": (lambda v, A: v[[0, 1]] << Vector(int, 3), DimensionMismatch),
    "matrix value": (lambda v, A: A[0, :] << A, DomainMismatch),
    "submask": (lambda v, A: v[[0, 1]](v.S) << 1, DimensionMismatch),
    "mask": (lambda v, A: A(v.S)[:, :] << 1, DimensionMismatch),
    "mask of a line": (lambda v, A: A(v.S)[:, 0] << 1, DimensionMismatch),
    "element's mask": (lambda v, A: v[0](v.S) << 1, DomainMismatch),
    "transpose": (lambda v, A: A.T[0, 0] << 1, DomainMismatch),
    "other engine": (lambda v, A: v[:] << gb.Vector(int, 4), EngineMismatch),
}


@pytest.mark.parametrize("flat_rows", [0, 64])
@pytest.mark.parametrize("case", BAD)
def test_refused(monkeypatch, case, flat_rows):
    monkeypatch.setattr(matrix, "FLAT_ROWS", flat_rows)
    v = Vector.from_coo([0, 2], [1, 2], size=4)
    A = Matrix.from_coo([0, 2], [1, 2], [1, 2], nrows=3, ncols=5)
    attempt, error = BAD[case]
    with pytest.raises(error):
        attempt(v, A)
    assert v.to_coo()[0].tolist() == [0, 2]
    assert A.to_coo()[1].tolist() == [1, 2]
