"""Weights that are the ranks of the edges: distinct integers, which identify their edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphla.core.properties import CSR, derive
from graphla.cuda.device_arrays import csr_of
from graphla.transform.engine import graph_from_rows

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def ranked_graph(G: Graph) -> Graph:
    """Return the graph with the ranks of its edges as weights, without self-loops; cached."""
    return derive(G, _make_ranked_graph)


def _make_ranked_graph(G: Graph) -> Graph:
    R = csr_of(G.ranks)
    return graph_from_rows(CSR(R.indptr, R.indices, R.full_values()), G, G.ranks.dtype)
