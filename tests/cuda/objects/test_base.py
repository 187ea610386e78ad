"""What Vector and Matrix share: names, copies, storage hints and ``wait``."""

import graphblas as gb
import pytest

from graphla import cuda
from graphla.cuda import Matrix, Vector
from graphla.errors import InvalidValue


def test_a_name_is_kept():
    v, A = Vector.from_coo([0], [1], size=2), Matrix.from_coo([0], [1], [1], nrows=2, ncols=2)
    found = [v.dup(name="x"), v.diag(name="x"), A.diag(name="x"), v.apply("abs").new(name="x")]
    found += [v.apply("abs").dup(clear=True, name="x"), v[[0]].new(name="x"), A.T.new(name="x")]
    found += [Vector.from_dict({0: 1}, name="x"), Vector.from_pairs([(0, 1)], name="x")]
    found += [Matrix.from_csr([0, 1], [0], name="x"), Vector.from_dense([1], name="x")]
    assert [y.name for y in found] == ["x"] * len(found)


def test_wait_takes_two_words():
    for side in (cuda, gb):
        for x in (side.Vector(int, 3), side.Matrix(int, 3, 3)):
            assert x.wait("complete") is x.wait() is x.wait("MATERIALIZE")
            with pytest.raises(ValueError, match="nonsense"):
                x.wait("nonsense")
    with pytest.raises(InvalidValue):
        Vector(int, 3).wait(3)
