"""A graph that ranks generate in pieces is that of the whole edge list."""

from __future__ import annotations

import pytest

from graphla.errors import OutOfMemory
from graphla.graph500 import edges, edges_on_ranks
from graphla.ranks import in_process
from graphla.ranks.blocks.engine import block_engine


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
    monkeypatch.setattr(edges_on_ranks, "_number_of_passes", lambda *_: 3)
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
    assert len(passes) == 3 * 2


def test_passes_are_limited():
    passes = edges_on_ranks._number_of_passes
    assert [passes(needed, 10) for needed in (0, 9, 10, 11, 640)] == [1, 1, 1, 2, 64]
    for needed, allowed in ((641, 10), (1, 0)):
        with pytest.raises(OutOfMemory, match="in each of 64 passes"):
            passes(needed, allowed)
    assert passes(0, 0) == 1


@pytest.mark.parametrize(("filled", "is_copied"), [(0, True), (89, True), (91, False)])
def test_unused_places_are_cut_off_if_they_are_many(filled, is_copied):
    rows = edges_on_ranks._Rows(block_engine("cpu"), 100, 5, True)
    rows.filled = filled
    used = rows._used(rows.columns)
    assert used.size == filled
    assert (used.base is None) == is_copied
