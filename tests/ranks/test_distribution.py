"""Distributed graphs: the same entries, balanced, from every rank or from one."""

from __future__ import annotations

from itertools import pairwise

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import DomainMismatch, EngineMismatch, InvalidValue
from graphla.ranks import in_process
from graphla.ranks.layout import PieceWeights, balanced_boundaries
from tests.graphs import edge_cases, random_graph
from tests.ranks.distributed_objects import assert_same, cuts, layout_of
from tests.strategies import examples


@pytest.mark.parametrize("source", ["every rank", "rank 0", "rank 2"])
@pytest.mark.parametrize("dtype", [None, "int8", "float64"])
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_entries(kind, dtype, source):
    G = random_graph(20, 60, kind=kind, dtype=dtype)

    def run(member):
        has = source == "every rank" or member.rank == int(source[-1])
        H = member.distribute(G if has else None)
        texts = repr(H), repr(H.A.T)
        return H.A.gathered(), H.AT.gathered(), texts, H.A.local(H.A.axis).ss.is_iso

    for A, AT, (text, text_of_transpose), is_iso in in_process(3, run):
        assert A.isequal(G.A, check_dtype=True)
        assert AT.isequal(G.AT, check_dtype=True)
        assert text == repr(G).replace("cpu", "ranks")
        assert "20x20" in text_of_transpose
        assert is_iso or dtype is not None


@pytest.mark.parametrize("name", edge_cases())
def test_small_graphs_on_more_ranks_than_vertices(name):
    G = edge_cases()[name]
    for A in in_process(12, lambda member: member.distribute(G).A.gathered()):
        assert A.isequal(G.A)


def test_hubs_are_shared_by_edges():
    """A rank with the hub has few other vertices."""
    G = gl.generate.star(1000)

    def run(member):
        H = member.distribute(G)
        return H.A.local(H.A.axis).nvals

    shares = in_process(4, run)
    assert sum(shares) == G.A.nvals
    assert max(shares[1:]) <= 0.3 * G.A.nvals
    assert 999 <= shares[0] <= 1001


def test_boundaries():
    assert balanced_boundaries(np.ones(8, int), 4).tolist() == [0, 2, 4, 6, 8]
    assert balanced_boundaries(np.array([100, 0, 0, 0]), 2).tolist() == [0, 1, 4]
    assert balanced_boundaries(np.zeros(0, int), 3).tolist() == [0, 0, 0, 0]


@examples(30)
@given(data=st.data())
def test_boundaries_of_weights_that_the_ranks_share(data):
    """They are those of all weights on one rank."""
    weights = np.array(data.draw(st.lists(st.integers(0, 9), max_size=40)), np.int32)
    ranks, alignment = data.draw(st.sampled_from((1, 2, 3, 5))), data.draw(st.sampled_from((1, 4)))
    boundaries = data.draw(cuts([weights.size], ranks))

    def run(member):
        layout = layout_of(member, boundaries)
        first, last = layout.piece(weights.size)
        shared = PieceWeights(layout, weights.size, weights[first:last], "weights")
        return shared.of_ranks.tolist(), shared.balanced_boundaries(alignment).tolist()

    pieces = boundaries[weights.size]
    sums = [int(weights[a:b].sum()) for a, b in pairwise(pieces)]
    expected = balanced_boundaries(weights, ranks, alignment).tolist()
    assert in_process(ranks, run) == [(sums, expected)] * ranks


def test_refusals():
    def refused(*graphs):
        def run(member):
            member.distribute(graphs[member.rank])

        with pytest.raises(Exception) as caught:
            in_process(2, run)
        return type(caught.value)

    G = random_graph(5, 9)
    assert refused(None, None) is InvalidValue
    assert refused(G, random_graph(6, 9)) is InvalidValue
    path = gl.Graph.from_edges([0, 1, 2], [1, 2, 3])
    assert refused(path, path.reversed()) is InvalidValue  # as many vertices and entries
    assert refused(G, "a graph") is DomainMismatch
    distributed = []
    in_process(1, lambda member: distributed.append(member.distribute(G)))
    assert refused(distributed[0], None) is EngineMismatch


def test_two_graphs_of_one_size():
    """Objects of two graphs are cut in different places; an operation cuts one as the other."""
    G, H = gl.generate.star(50), random_graph(50, 300)

    def run(member):
        ours, other = member.distribute(G), member.distribute(H)
        degrees = ours.out_degree.ewise_mult(other.out_degree, "plus").new()
        both = ours.A.ewise_add(other.A, gb.binary.any).new()
        walks = ours.A.mxm(other.A, gb.semiring.plus_pair).new(mask=other.A.S)
        x = ours.out_degree.dup()
        x(other.out_degree.V) << other.A.mxv(ours.out_degree, gb.semiring.plus_second)
        return [y.gathered() for y in (degrees, both, walks, x)]

    x = G.out_degree.dup()
    x(H.out_degree.V) << H.A.mxv(G.out_degree, gb.semiring.plus_second)
    expected = [
        G.out_degree.ewise_mult(H.out_degree, "plus").new(),
        G.A.ewise_add(H.A, gb.binary.any).new(),
        G.A.mxm(H.A, gb.semiring.plus_pair).new(mask=H.A.S),
        x,
    ]
    for found in in_process(3, run):
        for y, z in zip(found, expected, strict=True):
            assert_same(y, z)


@pytest.mark.parametrize("suffix", [".mtx", ".wel", ".npz"])
def test_read(tmp_path, suffix):
    G = random_graph(20, 60, dtype="int64")
    path = tmp_path / f"graph{suffix}"
    gl.write(path, G)

    for A in in_process(3, lambda member: member.read(path).A.gathered()):
        assert A.isequal(G.A)


def test_file_that_is_not_there():
    with pytest.raises(FileNotFoundError, match="no_such"):
        in_process(3, lambda member: member.read("no_such.mtx"))


def test_one_rank_shows_the_progress(capsys):
    """The bar begins at 0 once, and later graphs of this thread have one, too."""
    G = gl.generate.path(9)
    gl.ranks.in_process(3, lambda member: gl.pagerank(member.distribute(G), progress=True))
    assert capsys.readouterr().err.count("pagerank: 0it") == 1
    gl.pagerank(G, progress=True)
    assert capsys.readouterr().err.count("pagerank: 0it") == 1
