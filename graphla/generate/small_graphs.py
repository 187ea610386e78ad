"""Small named graphs: path, cycle, star, complete graph, and two classic data sets."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import numpy as np

from graphla.core.graph import Graph, Kind
from graphla.core.validation import explains_wrong_calls
from graphla.generate.builder import VERTICES, GraphBuilder, check_integer


@explains_wrong_calls
def path(n: int, *, kind: Kind = "undirected", weights: Any = None, seed: int = 1) -> Graph:
    """Return the path 0 -> 1 -> ... -> n-1.

    Parameters
    ----------
    n : int
        Number of vertices.
    kind : {"undirected", "directed"}
        Directed: edges lead to the larger vertex.
    weights, seed
        As for every generator (see :mod:`graphla.generate`).

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.path(4, kind="directed").A.to_coo()[1].tolist()
    [1, 2, 3]
    """
    make = GraphBuilder(kind, weights, seed)
    v = np.arange(check_integer(n, "n", 0, VERTICES), dtype=np.uint32)
    return make.graph(v[:-1], v[1:], v.size)


@explains_wrong_calls
def cycle(n: int, *, kind: Kind = "undirected", weights: Any = None, seed: int = 1) -> Graph:
    """Return the cycle 0 -> 1 -> ... -> n-1 -> 0.

    Parameters
    ----------
    n : int
        Number of vertices, at least 3.
    kind, weights, seed
        As for :func:`path`. The directed cycle is strongly connected.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.cycle(5).out_degree.to_dense().tolist()
    [2, 2, 2, 2, 2]
    """
    make = GraphBuilder(kind, weights, seed)
    v = np.arange(check_integer(n, "n", 3, VERTICES), dtype=np.uint32)
    return make.graph(v, np.roll(v, -1), v.size)


@explains_wrong_calls
def star(n: int, *, kind: Kind = "undirected", weights: Any = None, seed: int = 1) -> Graph:
    """Return the star with n vertices and centre 0.

    Parameters
    ----------
    n : int
        Number of vertices, the centre included.
    kind : {"undirected", "directed"}
        Directed: edges lead from the centre.
    weights, seed
        As for every generator (see :mod:`graphla.generate`).

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.star(4).out_degree.to_dense().tolist()
    [3, 1, 1, 1]
    """
    make = GraphBuilder(kind, weights, seed)
    v = np.arange(check_integer(n, "n", 0, VERTICES), dtype=np.uint32)
    return make.graph(np.zeros_like(v[1:]), v[1:], v.size)


@explains_wrong_calls
def complete(n: int, *, kind: Kind = "undirected", weights: Any = None, seed: int = 1) -> Graph:
    """Return the complete graph: an edge between any two of n vertices.

    Parameters
    ----------
    n : int
        Number of vertices.
    kind : {"undirected", "directed"}
        Directed: edges in both directions, each with its own weight.
    weights, seed
        As for every generator (see :mod:`graphla.generate`).

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.complete(5).nedges
    10
    """
    make = GraphBuilder(kind, weights, seed)
    n = check_integer(n, "n", 0, VERTICES)
    src, dst = np.nonzero(np.tri(n, k=-1, dtype=bool))
    if kind == "directed":
        src, dst = np.concatenate([src, dst]), np.concatenate([dst, src])
    return make.graph(src, dst, n)


@explains_wrong_calls
def karate() -> Graph:
    """Return Zachary's karate club: undirected, 34 vertices, 78 edges, INT32 weights.

    The weight of an edge is the number of contexts in which the two members interacted [1]_.

    .. [1] W. W. Zachary, "An information flow model for conflict and fission in
       small groups", Journal of Anthropological Research 33, 1977.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.karate()
    <Graph: undirected, 34 vertices, 78 edges, INT32, cpu>
    """
    return _load_data("karate")


@explains_wrong_calls
def les_miserables() -> Graph:
    """Return the characters of Les Misérables: undirected, 77 vertices, 254 edges, INT32 weights.

    The weight of an edge is the number of scenes in which both characters appear [1]_. Vertex 10
    is Valjean.

    .. [1] D. E. Knuth, "The Stanford GraphBase", 1993.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.les_miserables()
    <Graph: undirected, 77 vertices, 254 edges, INT32, cpu>
    """
    return _load_data("les_miserables")


def _load_data(name: str) -> Graph:
    """Read an edge list of the package's folder `data`."""
    with (files("graphla") / "data" / f"{name}.wel").open() as file:
        src, dst, weight = np.loadtxt(file, dtype=np.int32, unpack=True)
    return Graph.from_edges(src, dst, weight, kind="undirected", dup=None)
