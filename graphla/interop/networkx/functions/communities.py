"""Communities: Louvain's method, label propagation, modularity."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from networkx.algorithms.community.quality import NotAPartition

from graphla.algorithms.communities import label_propagation, louvain
from graphla.algorithms.communities import modularity as quality
from graphla.errors import InvalidGraph
from graphla.interop.networkx.config import implementation
from graphla.interop.networkx.labelled_graph import LabelledGraph
from graphla.interop.networkx.results import node_sets


def louvain_communities(
    G: LabelledGraph,
    weight: Any = "weight",
    resolution: float = 1,
    threshold: float = 1e-7,
    max_level: int | None = None,
    seed: Any = None,
) -> list[set]:
    if max_level is not None and max_level <= 0:
        raise ValueError("max_level argument must be a positive integer or None")
    H = G.graph(weight, "sum")
    r = louvain.louvain(H, resolution=resolution, tol=threshold, max_levels=max_level)
    return node_sets(G, r.community)


def louvain_partitions(
    G: LabelledGraph,
    weight: Any = "weight",
    resolution: float = 1,
    threshold: float = 1e-7,
    seed: Any = None,
) -> Iterator[list[set]]:
    H = G.graph(weight, "sum")
    # arguments are checked by this call, not by the first `next`
    levels = louvain.louvain_levels(H, resolution=resolution, tol=threshold)
    return (node_sets(G, r.community) for r in levels)


def label_propagation_communities(G: LabelledGraph) -> list[set]:
    H = G.graph()
    return node_sets(G, implementation(label_propagation.label_propagation, H)(H))


def modularity(
    G: LabelledGraph, communities: Any, weight: Any = "weight", resolution: float = 1
) -> float:
    communities = [set(c) for c in communities]
    members = [v for c in communities for v in c]
    if len(members) != len(G) or not all(v in G for v in members) or len(set(members)) != len(G):
        raise NotAPartition(G, communities)
    H = G.graph(weight, "sum")
    label = H.vector("INT64")
    number = [c for c, nodes in enumerate(communities) for _ in nodes]
    label.build([G.index[v] for v in members], number)
    try:
        return quality.modularity(H, label, resolution=resolution)
    except InvalidGraph as error:
        raise ZeroDivisionError("the sum of the weights is 0") from error
