"""PageRank, hubs and authorities, eigenvector and Katz centrality."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Real
from typing import Any

import networkx as nx
import numpy as np
from graphblas import binary, monoid

from graphla.algorithms.ranking import eigenvector_centrality as eigenvector
from graphla.algorithms.ranking import hits as hubs
from graphla.algorithms.ranking import katz_centrality as katz
from graphla.algorithms.ranking import pagerank as uniform
from graphla.algorithms.ranking.fixed_point import prepare_product
from graphla.algorithms.ranking.pagerank_weighted import pagerank_weighted
from graphla.errors import ConvergenceFailure
from graphla.interop.networkx.config import implementation
from graphla.interop.networkx.labelled_graph import LabelledGraph
from graphla.interop.networkx.reachability.components import is_connected, is_strongly_connected
from graphla.interop.networkx.results import to_array, values_by_node

EXACT = 1e-14  # tolerance (L1 change per vertex) at the level of rounding errors
RESIDUAL = 1e-10  # relative tolerance per vertex of |A' x - value x| for an eigenvector x
MAX_POWERS = 10_000  # iterations that replace NumPy's or ARPACK's direct methods
PRODUCTS = 20  # products allowed per iteration of NetworkX's HITS, which is one of ARPACK's


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
    if not 0 <= alpha < 1:
        raise NotImplementedError(f"graphla's PageRank needs 0 <= alpha < 1; alpha={alpha}")
    H = G.graph(weight, "sum")
    vectors = [_vector(G, H, x) for x in (personalization, dangling, nstart)]
    if any(x is not None and not x.reduce().new().get(0.0) for x in vectors):
        raise ZeroDivisionError
    if not H.weighted and all(x is None for x in vectors):
        rank = implementation(uniform.pagerank, H)
        result = rank(H, damping=alpha, tol=len(G) * tol, max_iter=max_iter)
    else:
        p, d, x = vectors
        result = pagerank_weighted(
            H, personalization=p, dangling=d, start=x, damping=alpha, tol=tol, max_iter=max_iter
        )
    return values_by_node(G, result.rank)


def _vector(G: LabelledGraph, H: Any, values: dict | None) -> Any:
    """Return a dictionary by node as a Vector on the engine of `H`; zeros are not stored."""
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
        raise NotImplementedError("nstart is not a valid start vector of ARPACK")
    # a valid nstart does not change the result and is not used
    H = G.graph("weight", "sum")
    _check_no_negative_weight(H)
    with _fall_back_unless_converged():
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
    """Iterate the power method until changes are rounding errors, whatever `tol` is."""
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
    _check_no_negative_weight(H)
    if H.weighted:  # scale the largest weight to 1: the algorithm's tolerance is absolute
        H = H.astype("FP64")
        largest = H.A.reduce_scalar(monoid.max).new().get(0.0) or 1.0
        H = type(H)(H.A.apply(binary.truediv, right=largest).new(), kind=H.kind, copy=False)
    with _fall_back_unless_converged():
        x = eigenvector.eigenvector_centrality(H, tol=EXACT, max_iter=MAX_POWERS).score
    if H.nedges and not _is_eigenvector(H, x):
        raise NotImplementedError("the power method did not find an eigenvector")
    return values_by_node(G, x)


def _is_eigenvector(H: Any, x: Any) -> bool:
    """Test A' x = value x up to `RESIDUAL`; x has norm 1."""
    H, multiply = prepare_product(H)
    product, x = to_array(H.AT.mxv(x, multiply).new(), 0), to_array(x)
    value = np.linalg.norm(product)
    return bool(value and np.abs(product - value * x).sum() <= len(x) * RESIDUAL * value)


def _check_no_negative_weight(H: Any) -> None:
    if (H.min_weight or 0) < 0:
        raise NotImplementedError(
            "a weight is negative: the power method may find another eigenvector"
        )


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
    result = katz.katz_centrality(
        H,
        alpha=alpha,
        beta=_beta(G, H, beta),
        start=_vector(G, H, nstart),
        normalized=normalized,
        tol=tol,
        max_iter=max_iter,
    )
    return values_by_node(G, result.score)


def katz_centrality_numpy(
    G: LabelledGraph,
    alpha: float = 0.1,
    beta: Any = 1.0,
    normalized: bool = True,
    weight: Any = None,
) -> dict:
    """Solve (I - alpha A') x = beta by its power series, if that converges.

    `beta` is scaled to a maximum of 1 because the algorithm's tolerance is absolute.
    """
    if not len(G):
        return {}
    H = G.graph(weight)
    b, is_scalar = _beta(G, H, beta), isinstance(beta, Real)
    scale = float(max(map(abs, [beta] if is_scalar else beta.values()))) or 1.0
    unit = b / scale if is_scalar else b.apply(binary.truediv, right=scale).new()
    with _fall_back_unless_converged():
        result = katz.katz_centrality(
            H, alpha=alpha, beta=unit, normalized=False, tol=EXACT, max_iter=MAX_POWERS
        )
    x = to_array(result.score) * scale
    if normalized:
        with np.errstate(divide="ignore", invalid="ignore"):
            x = x / (np.sign(x.sum()) * np.linalg.norm(x))
    return dict(zip(G.nodes, x.tolist(), strict=True))


def _beta(G: LabelledGraph, H: Any, beta: Any) -> Any:
    """Return `beta` as a float, or as a Vector if it is a dictionary by node."""
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
def _fall_back_unless_converged() -> Iterator[None]:
    """Turn ConvergenceFailure into NotImplementedError: NetworkX's NumPy or ARPACK may solve it."""
    try:
        yield
    except ConvergenceFailure as error:
        raise NotImplementedError(str(error)) from error
