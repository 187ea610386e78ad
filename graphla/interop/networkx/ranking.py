"""PageRank, hubs and authorities, eigenvector and Katz centrality."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

import networkx as nx

from graphla.algorithms import eigenvector_centrality as eigenvector
from graphla.algorithms import hits as hubs
from graphla.algorithms import katz_centrality as katz
from graphla.algorithms import pagerank as uniform
from graphla.algorithms.pagerank_weighted import pagerank_weighted
from graphla.interop.networkx.results import by_node

if TYPE_CHECKING:
    from graphla.interop.networkx.labelled import LabelledGraph

PRODUCTS = 20  # products that one iteration of NetworkX's HITS, which is ARPACK's, takes


def pagerank(
    G: LabelledGraph,
    alpha: float = 0.85,
    personalization: dict | None = None,
    max_iter: int = 100,
    tol: float = 1e-6,
    nstart: dict | None = None,
    weight: Any = "weight",
    dangling: dict | None = None,
) -> dict:
    if not len(G):
        return {}
    if max_iter < 1:
        raise nx.PowerIterationFailedConvergence(max_iter)
    H = G.graph(weight, "sum")
    given = [_vector(G, H, x) for x in (personalization, dangling, nstart)]
    if not H.weighted and all(x is None for x in given):
        r = uniform.pagerank(H, damping=alpha, tol=len(G) * tol, max_iter=max_iter)
    else:
        p, d, x = given
        r = pagerank_weighted(
            H, personalization=p, dangling=d, start=x, damping=alpha, tol=tol, max_iter=max_iter
        )
    return by_node(G, r.rank)


def _vector(G: LabelledGraph, H: Any, values: dict | None) -> Any:
    """Return a dictionary over nodes as a Vector on the engine of `H`."""
    if values is None:
        return None
    x = G.dense(values)
    if x.sum() == 0:
        raise ZeroDivisionError
    v = H.vector("FP64")
    v.build(x.nonzero()[0], x[x != 0])
    return v


def hits(
    G: LabelledGraph,
    max_iter: int = 100,
    tol: float = 1e-8,
    nstart: dict | None = None,
    normalized: bool = True,
) -> tuple[dict, dict]:
    if not len(G):
        return {}, {}
    if max_iter < 1:
        raise nx.PowerIterationFailedConvergence(max_iter)
    H = G.graph("weight", "sum")
    r = hubs.hits(H, tol=tol or 1e-8, max_iter=PRODUCTS * max_iter)
    return by_node(G, r.hubs), by_node(G, r.authorities)


def eigenvector_centrality(
    G: LabelledGraph,
    max_iter: int = 100,
    tol: float = 1e-6,
    nstart: dict | None = None,
    weight: Any = None,
) -> dict:
    if not len(G):
        raise nx.NetworkXPointlessConcept("cannot compute centrality for the null graph")
    if nstart is not None and not any(nstart.values()):
        raise nx.NetworkXError("initial vector cannot have all zero values")
    if nstart is not None:
        raise NotImplementedError("nstart is not supported")
    if max_iter < 1:
        raise nx.PowerIterationFailedConvergence(max_iter)
    r = eigenvector.eigenvector_centrality(G.graph(weight), tol=tol, max_iter=max_iter)
    return by_node(G, r.score)


def katz_centrality(
    G: LabelledGraph,
    alpha: float = 0.1,
    beta: Any = 1.0,
    max_iter: int = 1000,
    tol: float = 1e-6,
    nstart: dict | None = None,
    normalized: bool = True,
    weight: Any = None,
) -> dict:
    if not len(G):
        return {}
    if not isinstance(beta, Real) and set(beta) != set(G):
        raise nx.NetworkXError("beta dictionary must have a value for every node")
    if not isinstance(beta, Real) or nstart is not None:
        raise NotImplementedError("values of beta by node, and nstart, are not supported")
    if max_iter < 1:
        raise nx.PowerIterationFailedConvergence(max_iter)
    r = katz.katz_centrality(
        G.graph(weight),
        alpha=alpha,
        beta=float(beta),
        normalized=normalized,
        tol=tol,
        max_iter=max_iter,
    )
    return by_node(G, r.score)
