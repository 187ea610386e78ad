"""Connected components: search from a hub, propagate labels in the rest, or hook and shortcut.

The label f of a vertex is a vertex of its component, at first itself. Most graphs of short paths
have one large component, which a direction-optimised search from a hub finds in the fewest
operations. The remaining vertices q send their labels to their neighbours; those whose label
becomes smaller are the next q:

    r   = q' min.first A
    q   = r where r < f
    f   = f min r                     until q is empty

If the search or the propagation takes too many steps, it is given up and trees are merged
instead; f is then the smallest vertex of the tree so far. One round is

    y   = f min A min.second f        (smallest label in the closed neighbourhood)
    f   = f min P' min.first y        (hooking: P(i, f(i)), so a root takes its tree's smallest y)
    f   = f(f) until nothing changes  (shortcutting)

until y = f. Two rounds at least halve the number of unfinished trees.

Cost: O(m) for the component of the hub, and O(m) a round for the others, about log n rounds.

Source: Y. Shiloach, U. Vishkin, J. Algorithms 3 (1982), in the algebraic form of
Y. Zhang, A. Azad, Z. Hu, "FastSV", PP 2020; the search first: G. Slota,
S. Rajamanickam, K. Madduri, IPDPS 2014.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, indexunary, monoid, semiring, unary
from graphblas.dtypes import BOOL, INT64

from graphla.algorithms.traversal.hub_component import find_reached
from graphla.core import validation
from graphla.core.display import Progress
from graphla.execution.hints import fuse, set_storage_hint

if TYPE_CHECKING:
    from graphla.core.graph import Graph

MAX_LEVELS = 64  # of the search, and rounds of propagation
MAX_LOWERED = 1 / 8  # labels lowered by propagation, as a share of n
MAX_EDGES_READ = 1 / 2  # by propagation, as a share of all edges, if every round read all of `rest`

any_pair = semiring.any_pair[BOOL]
plus_second = semiring.plus_second[INT64]


@validation.explains_wrong_calls
def connected_components(G: Graph, *, progress: bool = False) -> Any:
    """Label each vertex with the smallest vertex of its connected component.

    Parameters
    ----------
    G : Graph
        Weights are ignored. Components of a directed graph are the weak ones;
        its symmetric structure is built on each call.
    progress : bool
        Show a bar of the steps: the search, then rounds of propagation or hooking.

    Returns
    -------
    Vector
        Of dtype ``G.index_dtype`` with all n entries; two vertices have the same value
        if and only if a path that may use edges in either direction joins them.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([4, 1, 2], [1, 0, 3], n=6)
    >>> gl.connected_components(G).to_dense().tolist()
    [0, 0, 2, 2, 0, 5]
    """
    validation.check_graph(G)
    with Progress(progress, "connected_components") as bar:
        if not G.is_symmetric:
            A = G.A.ewise_add(G.AT, binary.any).new(BOOL)
            G = type(G)(A, kind="undirected", copy=False)
        return _label_components(G, bar)


def _label_components(G: Graph, bar: Progress) -> Any:
    """Label the components of a symmetric graph."""
    T = G.index_dtype
    rowindex = indexunary.rowindex[T]
    label = G.out_degree.apply(rowindex).new()
    if not G.A.nvals:
        return label
    seen = _search_from_hub(G)
    bar.step()
    if not seen.nvals:
        return _hook_and_shortcut(G.A, label, bar)
    label(seen.S) << seen.inner(seen, semiring.ss.min_secondi[T]).new().value
    rest = G.vector(BOOL)  # vertices with an edge that the search did not reach
    set_storage_hint(rest, form="sparse")
    rest(~seen.S, replace=True) << G.A.mxv(label, any_pair)
    if not _propagate_labels(G, rest, label, bar):
        vertices, _ = rest.to_coo(values=False)
        names = G.out_degree.apply(rowindex).new()[vertices].new()
        A = G.A[vertices, vertices].new()
        tree = _hook_and_shortcut(A, names.apply(rowindex).new(), bar)
        label[vertices] << names[_values(tree)].new()
    return label


def _search_from_hub(G: Graph) -> Any:
    """Return the vertices that a vertex of largest degree reaches; none if the search is long."""
    hubs = G.out_degree.dup(clear=True)
    set_storage_hint(hubs, form="sparse")
    hubs << G.out_degree.select("==", G.max_out_degree)
    hub = hubs.apply(indexunary.rowindex).reduce(monoid.min).new().value
    return find_reached(G, hub, MAX_LEVELS)


def _propagate_labels(G: Graph, rest: Any, label: Any, bar: Progress) -> bool:
    """Propagate the smallest labels within `rest`; return whether they are final, or it gave up."""
    T = label.dtype
    q, r, better = G.vector(T), G.vector(T), G.vector(BOOL)
    set_storage_hint(q, r, better, form="sparse")
    q << rest.apply(indexunary.rowindex[T])
    spread = fuse(
        (r, q.vxm(G.A, semiring.min_first[T])),
        (better, r.ewise_mult(label, binary.lt[T])),
        (q(better.V, replace=True), r.apply(unary.identity[T])),
        (label(binary.min), r.apply(unary.identity[T])),
    )
    budget, edges = int(MAX_LOWERED * G.n), q.inner(G.out_degree, plus_second).new().value or 0
    for _ in range(min(MAX_LEVELS, int(MAX_EDGES_READ * G.A.nvals) // max(1, edges))):
        size = q.nvals
        budget -= size
        if not size or budget < 0:
            break
        spread()
        bar.step()
    return not q.nvals


def _hook_and_shortcut(A: Any, index: Any, bar: Progress) -> Any:
    """Return the smallest vertex of each component; `index` is the vector 0..n-1."""
    T, label = index.dtype, index.dup()
    label(binary.min) << A.mxv(index, semiring.ss.min_secondi[T])
    label = flatten_labels(label)
    vertices = _values(index)
    P = A.dup(T, clear=True)
    while True:
        y = label.dup()
        y(binary.min) << A.mxv(label, semiring.min_second[T])
        if y.isequal(label):
            return label
        roots = _values(label)
        P.clear()
        P.build(vertices, roots, roots)
        label(binary.min) << y.vxm(P, semiring.min_first[T])
        label = flatten_labels(label)
        bar.step()


def flatten_labels(label: Any) -> Any:
    """Return f after f = f(f) until it is stable: every tree is then a star."""
    while not (shorter := label[_values(label)].new()).isequal(label):
        label = shorter
    return label


def _values(v: Any) -> Any:
    """Return the values of a Vector as an array."""
    return v.to_coo(indices=False)[1]
