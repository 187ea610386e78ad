"""Transforms of graphs, on both engines: other vertex orders, weights and storage forms.

Vertex orders return a graph, and a permutation that brings results back: :func:`by_degree`,
:func:`breadth_first`, :func:`reverse_cuthill_mckee`, :func:`renumber`. Weights become
integers of the same order: :func:`weights_to_codes`, :func:`weights_to_ranks`, :func:`ranks`.
Storage forms are arrays for native kernels, most of them with a ``decode()``:
:func:`rows_by_degree`, :func:`rows_by_weight`, :func:`compress`, :func:`interleave`,
:func:`block_edges`, :func:`byte_ids`.

Sources: A. Kolganov, 2014 (blocked edges), 2015 (weights, byte ids), 2018 (the others).
"""

from __future__ import annotations

from graphla.core.weight_order import ranks
from graphla.transform.byte_lists import ByteIds, byte_ids
from graphla.transform.compressed import Compressed, compress
from graphla.transform.interleaved import Interleaved, interleave
from graphla.transform.numbering import (
    Renumbered,
    breadth_first,
    by_degree,
    renumber,
    reverse_cuthill_mckee,
)
from graphla.transform.permutation import Permutation, Undone
from graphla.transform.rows import Rows, rows_by_degree, rows_by_weight
from graphla.transform.segments import BlockedEdges, block_edges
from graphla.transform.weights import (
    WeightRanks,
    codes_to_weights,
    ranks_to_weights,
    weights_to_codes,
    weights_to_ranks,
)

__all__ = [
    "BlockedEdges",
    "ByteIds",
    "Compressed",
    "Interleaved",
    "Permutation",
    "Renumbered",
    "Rows",
    "Undone",
    "WeightRanks",
    "block_edges",
    "breadth_first",
    "by_degree",
    "byte_ids",
    "codes_to_weights",
    "compress",
    "interleave",
    "ranks",
    "ranks_to_weights",
    "renumber",
    "reverse_cuthill_mckee",
    "rows_by_degree",
    "rows_by_weight",
    "weights_to_codes",
    "weights_to_ranks",
]
