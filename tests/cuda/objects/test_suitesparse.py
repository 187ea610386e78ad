"""``x.ss`` and ``cuda.ss``, against python-graphblas."""

import graphblas as gb
import numpy as np
import pytest

from graphla import cuda
from graphla.cuda.runtime.device import device
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidValue, NotSupported
from tests.cuda.object_pairs import equal, pair

POSITIONS, VALUES = [(0, 1), (0, 3), (2, 1), (3, 0), (3, 1), (3, 4)], [3, 1, 2, 5, 4, 9]
OF_MATRICES = {
    "first": lambda A: A.ss.selectk("first", 1),
    "last": lambda A: A.ss.selectk("last", 2, "columnwise"),
    "compactify": lambda A: A.ss.compactify("largest", 2),
    "compactify columns": lambda A: A.ss.compactify("last", order="col", reverse=True),
    "as index": lambda A: A.ss.compactify("smallest", asindex=True),
    "reshape": lambda A: A.ss.reshape(2, -1),
    "reshape columns": lambda A: A.ss.reshape(10, 2, order="F"),
    "flatten": lambda A: A.ss.flatten(),
    "sort": lambda A: A.ss.sort()[0],
    "permutation": lambda A: A.ss.sort(">", order="columnwise")[1],
    "split": lambda A: A.ss.split([[1, 3], [2, 3]])[1][1],
}
OF_VECTORS = {
    "largest": lambda v: v.ss.selectk("largest", 2),
    "smallest": lambda v: v.ss.selectk("smallest", 3),
    "compactify": lambda v: v.ss.compactify("last", reverse=True),
    "as index": lambda v: v.ss.compactify("largest", 2, asindex=True),
    "reshape": lambda v: v.ss.reshape(2, 3),
    "sort": lambda v: v.ss.sort(gb.binary.gt)[0],
    "split": lambda v: v.ss.split([2, 4])[1],
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", OF_MATRICES)
def test_of_matrices(name):
    ours, theirs = (OF_MATRICES[name](A) for A in pair((4, 5), POSITIONS, VALUES, "INT64"))
    equal(ours, theirs)


@pytest.mark.parametrize("name", OF_VECTORS)
def test_of_vectors(name):
    found = pair((6,), [(0,), (2,), (3,), (5,)], [4, 2, 7, 1], "FP64")
    equal(*(OF_VECTORS[name](v) for v in found))


def test_tiles():
    (A, B), (v, w) = pair((4, 5), POSITIONS, VALUES, "INT64"), pair((4,), [(1,)], [3], "INT64")
    equal(cuda.ss.concat([[A, v], [A, v]]), gb.ss.concat([[B, w], [B, w]]))
    equal(cuda.ss.concat([v, v]), gb.ss.concat([w, w]))
    equal(cuda.ss.diag(v, 1), gb.ss.diag(w, 1))
    equal(cuda.ss.diag(A, -1, "FP64"), gb.ss.diag(B, -1, "FP64"))


def test_random_entries_are_entries():
    A, _ = pair((4, 5), POSITIONS, VALUES, "INT64")
    R = A.ss.selectk("random", 1)
    assert R.nvals == 3
    assert gb.binary.iseq(A & R).new("BOOL").reduce_scalar("land").new()


def test_properties():
    v = cuda.Vector.from_coo([0, 2], [3, 3], size=3)
    assert v.ss.is_iso
    assert v.ss.iso_value == 3
    assert v.ss.nbytes > 0
    assert list(v.ss.iteritems()) == [(0, 3), (2, 3)]
    assert [list(f(1)) for f in (v.ss.iterkeys, v.ss.itervalues)] == [[2], [3]]
    assert [device.to_host(a).tolist() for a in v.ss.head(1)] == [[0], [3]]
    A = cuda.Matrix.from_coo([0, 1], [1, 0], [1, 2])
    assert list(A.ss.iterkeys()) == [(0, 1), (1, 0)]
    with pytest.raises(InvalidValue, match="not iso"):
        A.ss.iso_value


def test_refused():
    A, v = cuda.Matrix(int, 3, 3), cuda.Vector(int, 3)
    for error, call in (
        (NotSupported, lambda: A.ss.config),
        (NotSupported, lambda: cuda.Matrix.ss.pack_csr),
        (NotSupported, lambda: v.ss.sort(gb.binary.le)),
        (DomainMismatch, lambda: v.ss.sort("plus")),
        (AttributeError, lambda: A.ss.nonsense),
        (InvalidValue, lambda: A.ss.selectk("largest", 1)),
        (InvalidValue, lambda: v.ss.selectk("first", -1)),
        (DimensionMismatch, lambda: A.ss.split([2, [2, 2]])),
        (DimensionMismatch, lambda: v.ss.build_diag(A, 1)),
        (DomainMismatch, lambda: cuda.ss.concat(1)),
        (InvalidValue, lambda: cuda.ss.concat([])),
        (DimensionMismatch, lambda: cuda.ss.concat([[A], [cuda.Matrix(int, 3, 4)]])),
        (DomainMismatch, lambda: cuda.ss.diag(3)),
    ):
        with pytest.raises(error):
            call()


def test_one_value():
    v, A = cuda.Vector(int, 5), cuda.Matrix(int, 3, 3)
    v.ss.build_scalar([1, 3], 7)
    A.ss.build_scalar([0, 1], [1, 2], cuda.Scalar("INT64", 7))
    assert (v.nvals, A.nvals, v.get(3), A.get(1, 2)) == (2, 2, 7, 7)
    assert np.all(device.to_host(v.to_coo()[1]) == 7)
