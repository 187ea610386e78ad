"""Dispatch decisions: which calls can run here, and which should stay with NetworkX.

`refusal` decides by the arguments. `should_run` decides by the size of the graph, nodes plus
edges, against two minimum sizes of each function: one for a graph whose conversion is cached,
one for a graph that must be converted first. The minimum sizes were measured with NetworkX 3.6
and Python 3.11 on a CPU, on random graphs of mean degree 8 and on Kronecker graphs. NetworkX asks
`should_run` only if it chooses the backend itself (`nx.config.backend_priority`); a call with
``backend="graphla"`` is subject to `refusal` alone, and so are NetworkX's tests.
"""

from __future__ import annotations

from math import inf
from typing import Any

from graphla.interop.networkx import graph_classes
from graphla.interop.networkx.info import FUNCTIONS
from graphla.interop.networkx.labelled_graph import LabelledGraph

ATTRIBUTE_PARAMETERS = ("weight", "distance")  # NetworkX also accepts functions for these
UNSUPPORTED_PARAMETERS = ("sort_neighbors", "neighbors", "partition")

# minimum size if the conversion is cached, and if it is not
LOOKUP = 50_000, inf  # NetworkX reads the result from its adjacency dictionaries
PASS = 10_000, 500_000  # one pass over the edges
PATHS = 10_000, inf  # one pass, and as much time again to build the lists of nodes
PASSES = 2_000, 20_000  # many passes, or one with more work per edge
PAIRS = 2_000, 2_000  # all pairs of nodes
ROUNDS = 20_000, 20_000  # many small operations here
NEVER = inf, inf  # NetworkX searches from both ends, stops early, or calls NumPy

BY_MODULE = {
    "reachability.traversal": PASS,
    "paths.unweighted": PASS,
    "paths.dijkstra": PASS,
    "paths.bellman_ford": (2_000, 50_000),
    "paths.all_pairs": PAIRS,
    "paths.generic": PASS,
    "functions.trees": PASS,
    "reachability.closure": PASS,
    "reachability.components": PASS,
    "reachability.recognition": PASS,
    "functions.ranking": PASSES,
    "functions.betweenness": PAIRS,
    "functions.centrality": PAIRS,
    "functions.clustering": PASSES,
    "functions.cores": ROUNDS,
    "functions.prediction": PAIRS,
    "functions.communities": ROUNDS,
}
BY_NAME = {
    "single_source_shortest_path": PATHS,
    "single_target_shortest_path": PATHS,
    "all_pairs_shortest_path_length": PAIRS,
    "all_pairs_shortest_path": PAIRS,
    "average_shortest_path_length": PAIRS,
    "all_pairs_all_shortest_paths": NEVER,  # searches run one after the other
    "transitive_closure": PAIRS,
    "transitive_closure_dag": PAIRS,
    "has_path": NEVER,
    "bidirectional_shortest_path": NEVER,
    "bidirectional_dijkstra": NEVER,
    "efficiency": NEVER,
    "floyd_warshall_numpy": NEVER,
    "is_isolate": NEVER,
    "isolates": LOOKUP,
    "number_of_selfloops": LOOKUP,
    "number_of_isolates": LOOKUP,
    "degree_centrality": LOOKUP,
    "in_degree_centrality": LOOKUP,
    "out_degree_centrality": LOOKUP,
    "reciprocity": PASS,
    "overall_reciprocity": PASS,
    "modularity": PASS,
    "topological_generations": NEVER,  # one matrix product per level
    "topological_sort": NEVER,
    "has_cycle": NEVER,
    "is_directed_acyclic_graph": NEVER,
    "find_negative_cycle": NEVER,
    "generalized_degree": (250_000, 500_000),
}


def refusal(name: str, arguments: dict[str, Any]) -> str | None:
    """Return the reason why a call with these arguments cannot run here, None if it can."""
    G = arguments["G"]
    if not isinstance(G, LabelledGraph) and (reason := graph_classes.refusal(G)):
        return reason
    for parameter in ATTRIBUTE_PARAMETERS:
        if callable(arguments.get(parameter)):
            return f"{parameter} is a function, not the name of an attribute"
    for parameter in UNSUPPORTED_PARAMETERS:
        if arguments.get(parameter) is not None:
            return f"{parameter} is not supported"
    if name == "hits" and not arguments["normalized"]:
        return "normalized=False is not supported: hubs and authorities always sum to 1"
    if name.startswith("louvain") and not arguments["threshold"] > 0:
        return "threshold must be positive"
    return None


def should_run(name: str, args: tuple, kwargs: dict) -> bool | str:
    """Return True, or the reason why a call is expected to be faster in NetworkX."""
    G = args[0] if args else kwargs["G"]
    if name in ("shortest_path", "shortest_path_length") and _has_both_ends(args, kwargs):
        return "NetworkX searches from both ends"
    minimum, minimum_unconverted = BY_NAME.get(name) or BY_MODULE[FUNCTIONS[name]]
    size = G.number_of_nodes() + G.number_of_edges()
    if size < minimum:
        return f"the graph is small: {size} nodes and edges, the minimum is {minimum}"
    if size < minimum_unconverted and not _is_converted(G):
        return (
            f"the graph is not converted yet: {size} nodes and edges, "
            f"the minimum with conversion is {minimum_unconverted}"
        )
    return True


def _has_both_ends(args: tuple, kwargs: dict) -> bool:
    arguments = dict(zip(("G", "source", "target"), args, strict=False)) | kwargs
    return arguments.get("source") is not None and arguments.get("target") is not None


def _is_converted(G: Any) -> bool:
    cache = getattr(G, "__networkx_cache__", None) or {}
    return bool(cache.get("backends", {}).get("graphla"))
