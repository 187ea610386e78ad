"""A graph that ranks generate in pieces is that of the whole edge list."""

from __future__ import annotations

import pytest

from graphla.graph500 import edges, edges_on_ranks
from graphla.ranks import in_process


@pytest.mark.parametrize(("ranks", "weighted"), [(1, False), (3, False), (2, True)])
def test_equal_to_the_graph_of_one_process(ranks, weighted, monkeypatch):
    monkeypatch.setitem(edges_on_ranks.PIECE, "cpu", 100)
    expected = edges.kronecker(7, edgefactor=5, seed=3, weighted=weighted).graph()

    def run(member):
        G = edges_on_ranks.kronecker_graph(member, 7, 5, 3, weighted)
        return G.A.gathered(), G.nedges, G.kind

    for A, nedges, kind in in_process(ranks, run):
        assert A.isequal(expected.A, check_dtype=True)
        assert (nedges, kind) == (expected.nedges, "undirected")


def test_several_passes_where_memory_is_small(monkeypatch):
    """Rows that do not fit together with their sort are filled one part after the other."""
    monkeypatch.setitem(edges_on_ranks.SORT_BYTES, False, 1 << 30)
    passes = []
    owned_entries = edges_on_ranks._Pieces.owned_entries

    def counted(self, part_cuts):
        passes.append(part_cuts)
        return owned_entries(self, part_cuts)

    monkeypatch.setattr(edges_on_ranks._Pieces, "owned_entries", counted)
    expected = edges.kronecker(7).graph()

    def run(member):
        return edges_on_ranks.kronecker_graph(member, 7).A.gathered()

    assert all(A.isequal(expected.A) for A in in_process(2, run))
    assert len(passes) > 2 * 2
