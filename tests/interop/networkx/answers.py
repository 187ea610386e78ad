"""Compare results of NetworkX with those of the backend."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import networkx as nx

KINDS = {
    "graph": nx.Graph,
    "digraph": nx.DiGraph,
    "multi": nx.MultiGraph,
    "multidi": nx.MultiDiGraph,
}
REFUSED = "refused"


def plain(x):
    """Return a result as dictionaries, lists and numbers."""
    if isinstance(x, Iterator):
        return [plain(y) for y in x]
    if isinstance(x, Mapping):
        return {k: plain(v) for k, v in x.items()}
    if isinstance(x, nx.Graph):
        ends = tuple if x.is_directed() else frozenset
        edges = [(ends((u, v)), data) for u, v, data in x.edges(data=True)]
        return plain(dict(x.nodes(data=True))), edges
    if isinstance(x, tuple | list):
        return [plain(y) for y in x]
    return x


def same(a, b):
    if isinstance(a, Mapping):
        return set(a) == set(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, tuple):  # a graph
        return a[0] == b[0] and len(a[1]) == len(b[1]) and all(e in b[1] for e in a[1])
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float) or isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-7) or (math.isnan(a) and math.isnan(b))
    return a == b


def answer(name, G, arguments, backend):
    """Return the result of a call as `plain` does, the type of its error, or REFUSED."""
    try:
        return plain(getattr(nx, name)(G, **arguments, backend=backend))
    except NotImplementedError:
        return REFUSED
    except Exception as error:
        return type(error)
