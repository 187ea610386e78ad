"""PageRank, hubs and authorities, eigenvector and Katz centrality."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Real
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
from graphblas import binary, monoid

from graphla.algorithms.ranking import eigenvector_centrality as eigenvector
from graphla.algorithms.ranking import hits as hubs
from graphla.algorithms.ranking import katz_centrality as katz
from graphla.algorithms.ranking import pagerank as uniform
from graphla.algorithms.ranking.fixed_point import weights
from graphla.algorithms.ranking.pagerank_weighted import pagerank_weighted
from graphla.errors import ConvergenceFailure
from graphla.interop.networkx.config import implementation
from graphla.interop.networkx.functions.components import is_connected, is_strongly_connected
from graphla.interop.networkx.results import to_array, values_by_node

if TYPE_CHECKING:
    from graphla.interop.networkx.labelled_graph import LabelledGraph

EXACT = 1e-14  # change a vertex at which an iteration has come to rounding
RESIDUAL = 1e-10  # what A' x may differ from its multiple of x, a vertex and relative to it
POWERS = 10_000
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
    if any(x is not None and not x.reduce().new().get(0.0) for x in given):
        raise ZeroDivisionError
    if not H.weighted and all(x is None for x in given):
        r = implementation(uniform.pagerank, H)(
            H, damping=alpha, tol=len(G) * tol, max_iter=max_iter
        )
    else:
        p, d, x = given
        r = pagerank_weighted(
            H, personalization=p, dangling=d, start=x, damping=alpha, tol=tol, max_iter=max_iter
        )
    return values_by_node(G, r.rank)


def _vector(G: LabelledGraph, H: Any, values: dict | None) -> Any:
    """Return a dictionary over nodes as a Vector on the engine of `H`."""
    if values is None:
        return None
    x = G.node_values(values)
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
    if nstart is not None and (len(nstart) != len(G) or not any(nstart.values())):
        raise NotImplementedError("nstart is not one of ARPACK")  # the result is that of any
    H = G.graph("weight", "sum")
    _no_negative_weight(H)
    with _or_by_networkx():
        r = hubs.hits(H, tol=tol or 1e-8, max_iter=PRODUCTS * max_iter)
    return values_by_node(G, r.hubs), values_by_node(G, r.authorities)


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
    if max_iter < 1:
        raise nx.PowerIterationFailedConvergence(max_iter)
    H = G.graph(weight)
    start = _vector(G, H, nstart)
    return values_by_node(
        G, eigenvector.eigenvector_centrality(H, start=start, tol=tol, max_iter=max_iter).score
    )


def eigenvector_centrality_numpy(
    G: LabelledGraph, weight: Any = None, max_iter: int = 50, tol: float = 0
) -> dict:
    """Find it by powers, until they change by no more than rounding does, whatever `tol` is."""
    if not len(G):
        raise nx.NetworkXPointlessConcept("cannot compute centrality for the null graph")
    if not (is_strongly_connected(G) if G.directed else is_connected(G)):
        raise nx.AmbiguousSolution(
            "`eigenvector_centrality_numpy` does not give consistent results for "
            "disconnected graphs"
        )
    if max_iter <= 0:
        raise ValueError(f"maxiter must be positive, maxiter={max_iter}")
    H = G.graph(weight, "sum")
    _no_negative_weight(H)
    if H.weighted:
        H = H.astype("FP64")
        largest = H.A.reduce_scalar(monoid.max).new().get(0.0) or 1.0
        H = type(H)(H.A.apply(binary.truediv, right=largest).new(), kind=H.kind, copy=False)
    with _or_by_networkx():
        x = eigenvector.eigenvector_centrality(H, tol=EXACT, max_iter=POWERS).score
    if H.nedges and not _is_eigenvector(H, x):
        raise NotImplementedError("the largest eigenvalue is too small for powers")
    return values_by_node(G, x)


def _is_eigenvector(H: Any, x: Any) -> bool:
    H, multiply = weights(H)
    product, x = to_array(H.AT.mxv(x, multiply).new(), 0), to_array(x)
    value = np.linalg.norm(product)
    return bool(value and np.abs(product - value * x).sum() <= len(x) * RESIDUAL * value)


def _no_negative_weight(H: Any) -> None:
    if (H.min_weight or 0) < 0:
        raise NotImplementedError("of a negative weight powers may find another vector")


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
    if max_iter < 1:
        raise nx.PowerIterationFailedConvergence(max_iter)
    H = G.graph(weight)
    r = katz.katz_centrality(
        H,
        alpha=alpha,
        beta=_beta(G, H, beta),
        start=_vector(G, H, nstart),
        normalized=normalized,
        tol=tol,
        max_iter=max_iter,
    )
    return values_by_node(G, r.score)


def katz_centrality_numpy(
    G: LabelledGraph,
    alpha: float = 0.1,
    beta: Any = 1.0,
    normalized: bool = True,
    weight: Any = None,
) -> dict:
    """Solve the linear system by its series, where that converges."""
    if not len(G):
        return {}
    H = G.graph(weight)
    b, one = _beta(G, H, beta), isinstance(beta, Real)
    size = float(max(map(abs, [beta] if one else beta.values()))) or 1.0
    unit = b / size if one else b.apply(binary.truediv, right=size).new()  # EXACT is absolute
    with _or_by_networkx():
        r = katz.katz_centrality(
            H, alpha=alpha, beta=unit, normalized=False, tol=EXACT, max_iter=POWERS
        )
    x = to_array(r.score) * size
    if normalized:
        with np.errstate(divide="ignore", invalid="ignore"):
            x = x / (np.sign(x.sum()) * np.linalg.norm(x))
    return dict(zip(G.nodes, x.tolist(), strict=True))


def _beta(G: LabelledGraph, H: Any, beta: Any) -> Any:
    """Return a number, or the Vector of a dictionary over the nodes."""
    if isinstance(beta, Real):
        return float(beta)
    try:
        complete = set(beta) == set(G)
    except TypeError as error:
        raise nx.NetworkXError("beta must be a number") from error
    if not complete:
        raise nx.NetworkXError("beta dictionary must have a value for every node")
    return _vector(G, H, beta)


@contextmanager
def _or_by_networkx() -> Iterator[None]:
    """Refuse what powers do not find, where NumPy solves or ARPACK converges."""
    try:
        yield
    except ConvergenceFailure as error:
        raise NotImplementedError(str(error)) from error
