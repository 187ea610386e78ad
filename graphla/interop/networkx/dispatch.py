"""Dispatch decisions: which calls can run here, and which should stay with NetworkX.

`refusal` decides by the arguments. `should_run` first declines functions for which NetworkX's own
implementation is the faster one on any graph, and calls that NetworkX dispatches again. It then
compares the size of the graph, nodes plus edges, with two minimum sizes of the function: one for a
graph whose conversion is cached, one for a graph that must be converted first. Both functions take
microseconds on any graph: the size is stored with the conversion, and estimated without one.

The minimum sizes were measured with NetworkX 3.6 and Python 3.11 on a CPU, on random graphs of
mean degree 8 and on Kronecker graphs. NetworkX asks `should_run` only if it chooses the backend
itself (`nx.config.backend_priority`); a call with ``backend="graphla"`` is subject to `refusal`
alone, and so are NetworkX's tests.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from importlib import import_module
from math import inf
from typing import Any

import networkx as nx
from networkx.utils import create_py_random_state

from graphla.interop.networkx import graph_classes
from graphla.interop.networkx.graph_size import estimate_size
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
ONE_PAIR = 10_000, inf  # a search that NetworkX ends at the target

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
    "dijkstra_path": ONE_PAIR,
    "dijkstra_path_length": ONE_PAIR,
    "bellman_ford_path": ONE_PAIR,
    "bellman_ford_path_length": ONE_PAIR,
    "all_shortest_paths": ONE_PAIR,
    "transitive_closure": PAIRS,
    "transitive_closure_dag": PAIRS,
    "isolates": LOOKUP,
    "number_of_selfloops": LOOKUP,
    "number_of_isolates": LOOKUP,
    "degree_centrality": LOOKUP,
    "in_degree_centrality": LOOKUP,
    "out_degree_centrality": LOOKUP,
    "reciprocity": PASS,
    "overall_reciprocity": PASS,
    "modularity": PASS,
    "generalized_degree": (250_000, 500_000),
}
MINIMUM_SIZE = {name: BY_NAME.get(name) or BY_MODULE[FUNCTIONS[name]] for name in FUNCTIONS}

BOTH_ENDS = "a search from both ends visits few nodes, which need no conversion"
PRODUCT_PER_LEVEL = "the computation takes one matrix product per level here"
FASTER_IN_NETWORKX = {
    "has_path": BOTH_ENDS,
    "bidirectional_shortest_path": BOTH_ENDS,
    "bidirectional_dijkstra": BOTH_ENDS,
    "efficiency": BOTH_ENDS,
    "is_isolate": "NetworkX looks up one node",
    "floyd_warshall_numpy": "NetworkX computes it with NumPy",
    "find_negative_cycle": "NetworkX stops at the first negative cycle",
    "all_pairs_all_shortest_paths": "the searches run one after the other here",
    "topological_generations": PRODUCT_PER_LEVEL,
    "topological_sort": PRODUCT_PER_LEVEL,
    "has_cycle": PRODUCT_PER_LEVEL,
    "is_directed_acyclic_graph": PRODUCT_PER_LEVEL,
}
"""Functions that gain nothing here: NetworkX takes less time, or nearly the same; and why."""

# NetworkX passes the generator of `random` where a call has no seed.
NO_SEED = (None, create_py_random_state(None))
RANDOM_ORDER = ("louvain_communities", "louvain_partitions")
"""Functions whose results depend on a random order in NetworkX, and on none here."""

DISPATCHED_AGAIN = ("shortest_path", "shortest_path_length")
"""Between two nodes NetworkX calls another function for these, which it dispatches, too."""


def load_function(name: str) -> Callable:
    """Return the implementation of a function of `FUNCTIONS`."""
    return getattr(import_module(f"graphla.interop.networkx.{FUNCTIONS[name]}"), name)


@cache
def _parameters(name: str) -> dict[str, Any]:
    """Return the defaults of a function's parameters, in their order."""
    parameters = inspect.signature(load_function(name)).parameters.values()
    return {p.name: p.default for p in parameters}


def bind(name: str, args: tuple, kwargs: dict) -> dict[str, Any]:
    """Return the arguments of a call by name, with defaults.

    A call with wrong arguments is not noticed here: NetworkX binds the arguments again.
    """
    parameters = _parameters(name)
    return parameters | dict(zip(parameters, args, strict=False)) | kwargs


def refusal(name: str, args: tuple, kwargs: dict) -> str | None:
    """Return the reason why a call with these arguments cannot run here, None if it can."""
    G = args[0] if args else kwargs["G"]
    if not isinstance(G, LabelledGraph) and (reason := graph_classes.refusal(G)):
        return reason
    if not _restricted_parameters(name):
        return None
    arguments = bind(name, args, kwargs)
    for parameter in _restricted_parameters(name):
        if parameter in ATTRIBUTE_PARAMETERS and callable(arguments[parameter]):
            return f"{parameter} is a function, not the name of an attribute"
        if parameter in UNSUPPORTED_PARAMETERS and arguments[parameter] is not None:
            return f"{parameter} is not supported"
        if parameter == "normalized" and not arguments[parameter]:
            return "normalized=False is not supported: hubs and authorities always sum to 1"
        if parameter == "threshold" and not arguments[parameter] > 0:
            return "threshold must be positive"
    return None


@cache
def _restricted_parameters(name: str) -> tuple[str, ...]:
    """Return the parameters of a function that do not take all values that NetworkX takes."""
    restricted = {*ATTRIBUTE_PARAMETERS, *UNSUPPORTED_PARAMETERS}
    restricted |= {"normalized"} if name == "hits" else set()
    restricted |= {"threshold"} if name.startswith("louvain") else set()
    return tuple(p for p in _parameters(name) if p in restricted)


def should_run(name: str, args: tuple, kwargs: dict) -> bool | str:
    """Return True, or the reason why a call is expected to be faster in NetworkX."""
    if name in FASTER_IN_NETWORKX:
        return FASTER_IN_NETWORKX[name]
    arguments = bind(name, args, kwargs)
    if name in DISPATCHED_AGAIN and None not in (arguments["source"], arguments["target"]):
        return "NetworkX calls another function for two nodes, and dispatches that"
    if name in RANDOM_ORDER and arguments["seed"] not in NO_SEED:
        return "a seed selects one of NetworkX's random orders, and graphla's has none"
    G = arguments["G"]
    minimum, minimum_unconverted = MINIMUM_SIZE[name]
    conversions = _conversions(G)
    size = conversions[0].size if conversions else estimate_size(G)
    number = f"{'' if conversions else 'about '}{size} nodes and edges"
    if size < minimum:
        return f"the graph is small: {number}, the minimum is {minimum}"
    if size < minimum_unconverted and not any(_has_data(H, name, arguments) for H in conversions):
        lacks = "not converted with the attributes of this call" if conversions else "not converted"
        if minimum_unconverted == inf:
            return f"the graph is {lacks}, which takes longer than one call in NetworkX"
        return (
            f"the graph is {lacks}: {number}, the minimum with conversion is {minimum_unconverted}"
        )
    return True


def _conversions(G: Any) -> list[LabelledGraph]:
    """Return the cached conversions of a graph, without those that failed."""
    if isinstance(G, LabelledGraph):
        return [G]
    cached = (getattr(G, "__networkx_cache__", None) or {}).get("backends", {}).get("graphla", {})
    return [H for H in list(cached.values()) if isinstance(H, LabelledGraph)]


def _has_data(H: LabelledGraph, name: str, arguments: dict[str, Any]) -> bool:
    """Whether a conversion has the attributes of nodes and edges that a call needs."""
    preserved = nx.utils.backends._registered_algorithms[name].preserve_edge_attrs
    if isinstance(preserved, str):  # the parameter that asks for all attributes
        preserved = arguments[preserved]
    if preserved is True and H.edge_data is None:
        return False
    names = {arguments.get(parameter) for parameter in ATTRIBUTE_PARAMETERS} - {None}
    if isinstance(preserved, dict):
        names |= preserved["G"].keys()
    community = arguments.get("community")
    return (H.edge_data is not None or names <= H.edge_columns.keys()) and (
        community is None or H.node_data is not None or community in H.node_columns
    )
