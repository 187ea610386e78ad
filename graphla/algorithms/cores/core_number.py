"""Core numbers by peeling: remove all vertices of smallest degree at once, and repeat.

    q = { d <= k }        k being the smallest degree of the remaining vertices
    while q:  core(q) = k,   d<~core> -= q plus.pair A,   q = { d <= k among the lowered d }

The k-core is the largest subgraph in which all degrees are at least k. A directed edge adds
to the degrees of both its ends: A is then A + A', and plus.second adds its values.

Cost: O(n + m) entries in all, and one product for each level of peeling.

Source: S. Seidman, "Network structure and minimum degree", Social Networks 5 (1983);
V. Batagelj, M. Zaversnik, arXiv:cs/0310049; in levels H. Kabir, K. Madduri, IPDPSW 2017.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, semiring
from graphblas.dtypes import BOOL, INT64

from graphla.algorithms._shared.edges import add_transpose, remove_self_loops
from graphla.algorithms._shared.vectors import make_full_vector
from graphla.core import validation
from graphla.core.display import Progress
from graphla.core.properties import row_counts
from graphla.execution.hints import set_storage_hint

if TYPE_CHECKING:
    from graphla.core.graph import Graph


@validation.explains_wrong_calls
def core_number(G: Graph, *, progress: bool = False) -> Any:
    """Find the largest k for which each vertex is in the k-core.

    Parameters
    ----------
    G : Graph
        Weights and self-loops are ignored. In a directed graph the degree is the
        sum of in- and out-degree.
    progress : bool
        Show a bar of the vertices removed.

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
    peeling = Peeling(G)
    with Progress(progress, "core_number", G.n) as bar:
        while (k := peeling.find_smallest_degree()) is not None:
            bar.step(peeling.remove(k))
    return peeling.core


@validation.explains_wrong_calls
def k_core(G: Graph, k: int) -> Any:
    """Find the vertices of the k-core: the largest subgraph whose degrees are all at least k.

    Parameters
    ----------
    G : Graph
        As in :func:`core_number`.
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
    k = min(validation.check_count(k, "k"), 2 * G.n + 1)  # above every degree
    peeling = Peeling(G)
    peeling.remove(k - 1)
    remaining = G.vector(BOOL)
    remaining(~peeling.core.S) << True
    return remaining


class Peeling:
    """The degrees of the remaining vertices, and the core numbers of the removed ones."""

    def __init__(self, G: Graph) -> None:
        self.core, self.q, self.lowered, self.remaining = (G.vector(INT64) for _ in range(4))
        if G.kind == "undirected":
            A, count = remove_self_loops(G), semiring.plus_pair[INT64]
            self.degree = row_counts(A)
        else:
            A, count = add_transpose(G), semiring.plus_second[INT64]
            self.degree = make_full_vector(G, INT64)
            self.degree(binary.plus) << A.reduce_rowwise(monoid.plus)
        set_storage_hint(self.core, form="bitmap")
        set_storage_hint(self.q, self.lowered, form="sparse")
        self.lost = self.q.vxm(A, count)

    def find_smallest_degree(self) -> int | None:
        """Return the smallest degree of the remaining vertices; None if there are none."""
        self.remaining(~self.core.S, replace=True) << self.degree
        return self.remaining.reduce(monoid.min).new().value

    def remove(self, k: int) -> int:
        """Remove vertices while any has a degree of at most k; return their number."""
        core, q, lowered, degree = self.core, self.q, self.lowered, self.degree
        q(~core.S, replace=True) << degree.select("<=", k)
        before = core.nvals
        while q.nvals:
            core(q.S) << k
            lowered(~core.S, replace=True) << self.lost
            lowered << degree.ewise_mult(lowered, binary.minus)
            degree(lowered.S) << lowered
            q << lowered.select("<=", k)
        return core.nvals - before
