"""Core numbers by peeling: all vertices of least degree at once, and what falls to it then.

    q = { d <= k }        k the least degree of what is left
    while q:  core(q) = k,   d<~core> -= q plus.pair A,   q = { d <= k, just lowered }

The k-core is the largest subgraph in which all degrees are at least k. A directed edge adds
to the degrees of both its ends: A is then A + A', and plus.second adds its values.

Source: S. Seidman, "Network structure and minimum degree", Social Networks 5 (1983);
V. Batagelj, M. Zaversnik, arXiv:cs/0310049; in levels H. Kabir, K. Madduri, IPDPSW 2017.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, semiring
from graphblas.dtypes import BOOL, INT64

from graphla.algorithms._shared.edges import add_transpose, remove_self_loops
from graphla.core import validation
from graphla.core.display import Progress
from graphla.core.properties import row_counts
from graphla.execution.storage_hints import set_storage_hint

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def core_number(G: Graph, *, progress: bool = False) -> Any:
    """Find the largest k for which each vertex is in the k-core.

    Parameters
    ----------
    G : Graph
        Weights and self-loops are ignored. In a directed graph the degree is the
        sum of in- and out-degree.
    progress : bool
        Show a bar of the vertices peeled off.

    Returns
    -------
    Vector
        INT64 with all n entries.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], n=5, kind="undirected")
    >>> gl.core_number(G).to_dense().tolist()
    [2, 2, 2, 1, 0]
    """
    validation.check_graph(G)
    peel = Peeling(G)
    with Progress(progress, "core_number", G.n) as bar:
        while (k := peel.least()) is not None:
            bar.step(peel.off(k))
    return peel.core


def k_core(G: Graph, k: int) -> Any:
    """Find the vertices of the k-core: the largest subgraph whose degrees are all at least k.

    Parameters
    ----------
    G : Graph
        As of :func:`core_number`.
    k : int
        At least 1.

    Returns
    -------
    Vector
        Boolean; the vertices of the core are its entries.

    Raises
    ------
    InvalidValue
        `k` is below 1.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], kind="undirected")
    >>> gl.k_core(G, 2).to_coo()[0].tolist()
    [0, 1, 2]
    """
    validation.check_graph(G)
    k = min(validation.check_count(k, "k"), 2 * G.n + 1)  # no degree is larger
    peel = Peeling(G)
    peel.off(k - 1)
    inside = G.vector(BOOL)
    inside(~peel.core.S) << True
    return inside


class Peeling:
    """Degrees among the vertices that are left, and the core numbers of the others."""

    def __init__(self, G: Graph) -> None:
        self.core, self.q, self.fewer, self.left = (G.vector(INT64) for _ in range(4))
        if G.kind == "undirected":
            A, count = remove_self_loops(G), semiring.plus_pair[INT64]
            self.degree = row_counts(A)
        else:
            A, count = add_transpose(G), semiring.plus_second[INT64]
            self.degree = G.vector(INT64)
            self.degree << 0
            self.degree(binary.plus) << A.reduce_rowwise(monoid.plus)
        set_storage_hint(self.core, form="bitmap")
        set_storage_hint(self.q, self.fewer, form="sparse")
        self.counts = self.q.vxm(A, count)

    def least(self) -> int | None:
        """Return the least degree of what is left; None where nothing is."""
        self.left(~self.core.S, replace=True) << self.degree
        return self.left.reduce(monoid.min).new().value

    def off(self, k: int) -> int:
        """Take off all that has, or comes to have, a degree of at most k; return how many."""
        core, q, fewer, degree = self.core, self.q, self.fewer, self.degree
        q(~core.S, replace=True) << degree.select("<=", k)
        before = core.nvals
        while q.nvals:
            core(q.S) << k
            fewer(~core.S, replace=True) << self.counts
            fewer << degree.ewise_mult(fewer, binary.minus)
            degree(fewer.S) << fewer
            q << fewer.select("<=", k)
        return core.nvals - before
