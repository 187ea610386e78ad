"""The backend's settings ``nx.config.backends.graphla``: engine and kernels.

`engine` is "cpu" or "cuda" (default: GRAPHLA_ENGINE). `kernels` is "auto", "algebra" or "native"
(default: GRAPHLA_KERNELS, else "auto"): "native" selects hand-written kernels for the algorithms
that have them, "auto" only those that are much faster (`RATIOS`).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import networkx as nx

from graphla.core import validation

if TYPE_CHECKING:
    from graphla.core.graph import Graph

KERNELS = ("auto", "algebra", "native")

# algorithm -> engine -> time of the algebra / time of the native kernels, in a call of NetworkX.
# `benchmarks/networkx_backend.py kernels` measured them on an H200 and 8 threads of its host, on
# kron16 (the closure on kron10), and those without "cuda" on a machine of two cores;
# benchmarks/results/networkx.jsonl has the rows.
# Louvain's method is not here: `louvain_communities` must return a level of `louvain_partitions`.
RATIOS = {
    "bfs_levels": {"cpu": 1.65, "cuda": 1.31},
    "sssp_distances": {"cpu": 1.74, "cuda": 1.45},
    "minimum_spanning_forest": {"cpu": 4.16, "cuda": 2.96},
    "connected_components": {"cpu": 2.67, "cuda": 3.02},
    "pagerank": {"cpu": 1.33, "cuda": 1.24},
    "betweenness_centrality": {"cpu": 3.73, "cuda": 3.53},
    "transitive_closure": {"cpu": 0.89, "cuda": 0.99},
    "label_propagation": {"cpu": 2.17},
    "core_number": {"cpu": 15.88},
    "k_truss": {"cpu": 1.27},
    "triangles": {"cpu": 8.26},
    "clustering_coefficient": {"cpu": 8.02},
}
# The ratio from which "auto" selects the native kernels. On a CPU the first call on a machine
# compiles them, which took 3 to 15 s; CUDA kernels are compiled in either case.
MIN_RATIO = {"cpu": 2.0, "cuda": 1.2}


def configured_engine() -> str:
    """Return the name of the engine that NetworkX's configuration selects."""
    return _setting("engine") or os.environ.get("GRAPHLA_ENGINE", "cpu")


def implementation(algorithm: Callable, G: Graph) -> Callable:
    """Return `algorithm`, or its native version if the setting `kernels` selects it."""
    kernels = _setting("kernels") or os.environ.get("GRAPHLA_KERNELS", "auto")
    validation.check_choice(kernels, KERNELS, "kernels")
    name = algorithm.__name__
    ratio = RATIOS.get(name, {}).get(G.engine)
    if kernels == "algebra" or ratio is None:
        return algorithm
    if kernels == "auto" and ratio < MIN_RATIO[G.engine]:
        return algorithm
    from graphla import native
    from graphla.native.dispatch import has_own_threads

    if kernels == "auto" and G.engine == "cpu" and not has_own_threads():
        return algorithm

    return _native_levels if name == "bfs_levels" else getattr(native, name)


def _native_levels(G: Graph, source: int) -> Any:
    from graphla import native

    return native.bfs(G, source).level


def _setting(name: str) -> Any:
    return getattr(getattr(nx.config.backends, "graphla", None), name, None)
