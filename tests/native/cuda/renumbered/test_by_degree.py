"""Graphs renumbered by degree: the order, the relabelled rows and the first neighbours."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.cuda.runtime.device import device
from graphla.errors import InvalidValue
from graphla.native.cuda.renumbered import by_degree
from tests.graphs import edge_cases, random_graph

MORE = 1 << 31  # the mark of a list that goes on


def check(G):
    """Compare with the rows of the graph on the CPU, relabelled and sorted."""
    found = by_degree.make_degree_ordered(G.to("cuda"))
    order, rank = (device.to_host(x).astype(int) for x in (found.order, found.rank))
    degree = np.zeros(G.n, int)
    for A in {id(A): A for A in (G.A, G.AT)}.values():
        degree += np.diff(A.to_csr()[0].astype(int))
    assert (np.diff(degree[order]) <= 0).all()
    assert sorted(order) == np.flatnonzero(degree).tolist()
    assert (rank[order] == np.arange(found.n)).all()
    assert (rank[degree == 0] == -1).all()
    for A, lists in ((G.A, found.out), (G.AT, found.into)):
        indptr, indices = (x.astype(int) for x in A.to_csr()[:2])
        offsets, neighbours = (device.to_host(x).astype(int) for x in lists[:2])
        rows = [sorted(rank[indices[indptr[v] : indptr[v + 1]]]) for v in order]
        assert neighbours.tolist() == [u for row in rows for u in row]
        assert offsets.tolist() == [0, *np.cumsum([len(row) for row in rows])]
        assert lists.nvals == A.nvals
        for width in (1, 3):
            firsts = device.to_host(by_degree.first_neighbours(lists, width))
            for row, first in zip(rows, firsts.astype(int).tolist(), strict=True):
                expected = [*row[:width], *[2**32 - 1] * (width - len(row))]
                expected[0] |= MORE if len(row) > width else 0
                assert first == expected


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_random_graphs_and_edge_cases(kind):
    check(random_graph(40, 120, kind=kind))
    for G in edge_cases(kind).values():
        check(G)


def test_the_lists_of_an_undirected_graph_are_shared_and_kept():
    G = random_graph(20, 40, kind="undirected").to("cuda")
    found = by_degree.degree_ordered(G)
    assert found.into is found.out
    assert by_degree.degree_ordered(G) is found


def test_more_vertices_than_a_mark_leaves_are_refused(monkeypatch):
    monkeypatch.setattr(by_degree, "MAX_VERTICES", 8)
    with pytest.raises(InvalidValue, match="n=9 vertices; native searches number at most 8"):
        gl.native.bfs(gl.generate.path(9).to("cuda"), 0)
