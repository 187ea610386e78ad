"""What distributed graphs and objects do not do is refused by name, on all ranks."""

from __future__ import annotations

import pickle

import graphblas as gb
import numpy as np
import pytest
from graphblas.exceptions import OutputNotEmpty

import graphla as gl
from graphla.core import validation
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    EngineMismatch,
    NotSupported,
    OutOfMemory,
)
from graphla.ranks import in_process
from tests.algorithm_calls import tiny

UNDIRECTED = tiny("undirected")


def new_vector(H):
    return H.out_degree.dup(clear=True)


def count_built(H, *columns):
    """Return the number of entries after a `build` of each pair of indices and values."""
    v = new_vector(H)
    for indices, values in zip(columns[::2], columns[1::2], strict=True):
        v.build(indices, values)
    return v.nvals


REFUSED = {
    "native kernel": (lambda H: gl.native.bfs(H, 0), NotSupported),
    "transform": (gl.transform.by_degree, NotSupported),
    "verify": (lambda H: gl.verify.triangle_count(H, 0), NotSupported),
    "to another engine": (lambda H: H.to("cpu"), NotSupported),
    "from another engine": (lambda H: UNDIRECTED.to("ranks"), NotSupported),
    "NumPy arrays": (lambda H: H.csr, EngineMismatch),
    "pickle": (pickle.dumps, NotSupported),
    "sum by a sign": (lambda H: new_vector(H) + new_vector(H), NotSupported),
    "comparison by a sign": (lambda H: new_vector(H) == 2, NotSupported),
    "one row": (lambda H: H.A[3, :].new(), NotSupported),
    "mask of a region": (lambda H: H.A(H.A.S)[[1], :] << 1, NotSupported),
    "aggregator": (lambda H: H.out_degree.reduce(gb.agg.mean).new(), NotSupported),
    "infix without operator": (lambda H: (H.A @ H.A).new(), NotSupported),
    "sum of positions": (
        lambda H: H.A.mxv(H.out_degree, gb.semiring.ss.plus_firsti).new(),
        NotSupported,
    ),
    "positional unary operator": (lambda H: H.A.apply(gb.unary.ss.positioni), NotSupported),
    "name of a positional operator": (lambda H: H.out_degree.apply("positioni"), NotSupported),
    "positional operator with a scalar": (
        lambda H: H.out_degree.apply(gb.binary.ss.secondi, left=1),
        NotSupported,
    ),
    "union of positions": (lambda H: gb.binary.ss.firsti(H.A | H.A), NotSupported),
    "intersection of positions": (lambda H: gb.binary.ss.firstj(H.A & H.A), NotSupported),
    "positions of defaults": (
        lambda H: H.A.ewise_union(H.A, gb.binary.ss.secondj1, 0, 0),
        NotSupported,
    ),
    "Kronecker product of positions": (
        lambda H: H.A.kronecker(H.A, gb.binary.ss.firsti),
        NotSupported,
    ),
    "other diagonal": (lambda H: H.out_degree.diag(1), NotSupported),
    "more values than indices": (
        lambda H: new_vector(H).build([0, 1], [1, 2, 3]),
        DimensionMismatch,
    ),
    "more rows than columns": (
        lambda H: H.A.from_coo([0, 1], [2], [1, 1], nrows=4, ncols=4),
        DimensionMismatch,
    ),
    "duplicates on one rank": (lambda H: count_built(H, [0, 0], [1, 2]), ValueError),
    "duplicates in a matrix": (
        lambda H: H.A.from_coo([0, 0], [1, 1], [2, 3], nrows=4, ncols=4).nvals,
        ValueError,
    ),
    "entries on one rank": (lambda H: count_built(H, [0], [1], [-1], [1]), OutputNotEmpty),
    "absent method": (lambda H: H.A.power(2), NotSupported),
    "object of one process": (
        lambda H: H.out_degree.ewise_mult(UNDIRECTED.out_degree).new(),
        EngineMismatch,
    ),
    "mask of one process": (lambda H: H.out_degree(UNDIRECTED.out_degree.S) << 1, EngineMismatch),
    "value of one process": (lambda H: H.out_degree << UNDIRECTED.out_degree, EngineMismatch),
    "truth": (lambda H: bool(H.out_degree), DomainMismatch),
    "array": (lambda H: np.asarray(H.out_degree), DomainMismatch),
    "loop": (lambda H: list(H.out_degree), DomainMismatch),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_on_all_ranks(name):
    call, kind = REFUSED[name]

    def run(member):
        H = member.distribute(UNDIRECTED)
        with pytest.raises(kind) as caught:
            call(H)
        member.communicator.all("after", True)  # the ranks still make the same calls
        return str(caught.value)

    texts = gl.ranks.in_process(3, run)
    assert all(texts)


def test_memory_for_vectors_counts_the_largest_piece(monkeypatch):
    """A rank needs memory for its part of five Vectors, not for all vertices."""
    G = gl.generate.path(100)
    monkeypatch.setattr(validation, "MANY", 1)

    def check(member):
        H = member.distribute(G)
        pieces = np.diff(H.A.layout.boundaries(H.n))
        monkeypatch.setattr(validation, "available", lambda _: 40 * pieces.max())
        validation.check_graph(H)
        monkeypatch.setattr(validation, "available", lambda _: 40 * pieces.max() - 1)
        with pytest.raises(OutOfMemory, match="the largest part of a rank"):
            validation.check_graph(H)
        return pieces.max()

    assert max(in_process(3, check)) < 50
