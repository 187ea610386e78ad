"""Connected components: search that of a hub, let labels spread in the rest, or hook and shortcut.

A vertex carries a label f, a vertex of its component, at first itself. Most graphs of short
paths have one large component, which a direction-optimised search from a hub q finds in the
fewest operations. Of what is left a vertex q tells its neighbours of its label, and those that
it lowers do so next:

    r   = q' min.first A
    q   = r where r < f
    f   = f min r                     until q is empty

Where the search or this would be long it is given up, and trees grow instead, f being the
smallest vertex of its tree so far. One round is

    y   = f min A min.second f        (smallest label in the closed neighbourhood)
    f   = f min P' min.first y        (hooking: P(i, f(i)), so a root takes its tree's smallest)
    f   = f(f) until nothing changes  (shortcutting)

until y = f. Every second round at least halves the unfinished trees.

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
from graphla.execution.fusion import fuse
from graphla.execution.storage_hints import set_storage_hint

if TYPE_CHECKING:
    from graphla.core.graph import Graph

LEVELS = 64  # what takes more is given up
SHARE = 1 / 8  # of all labels: where more are lowered, that is given up
EDGES = 1 / 2  # of all edges, at most, are read by rounds in which all labels of the rest spread

any_pair = semiring.any_pair[BOOL]
plus_second = semiring.plus_second[INT64]


def connected_components(G: Graph, *, progress: bool = False) -> Any:
    """Label each vertex with the smallest vertex of its connected component.

    Parameters
    ----------
    G : Graph
        Weights are ignored. Components of a directed graph are the weak ones;
        its symmetric structure is built on each call.
    progress : bool
        Show a bar of the steps: the search, then rounds of spreading, or hooking.

    Returns
    -------
    Vector
        Of dtype ``G.index_dtype`` with all n entries; two vertices have the same value
        exactly where a path that may use edges in either direction joins them.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([4, 1, 2], [1, 0, 3], n=6)
    >>> gl.connected_components(G).to_dense().tolist()
    [0, 0, 2, 2, 0, 5]
    """
    validation.check_graph(G)
    with Progress(progress, "connected_components") as bar:
        return _labels(G if G.is_symmetric else _both_directions(G), bar)


def _labels(G: Graph, bar: Progress) -> Any:
    """Label the components of a symmetric graph."""
    T = G.index_dtype
    rowindex = indexunary.rowindex[T]
    label = G.out_degree.apply(rowindex).new()
    if not G.A.nvals:
        return label
    seen = _component_of_hub(G)
    bar.step()
    if not seen.nvals:
        return _hook_and_shortcut(G.A, label, bar)
    label(seen.S) << seen.inner(seen, semiring.ss.min_secondi[T]).new().value
    rest = G.vector(BOOL)  # vertices outside that have an edge
    set_storage_hint(rest, form="sparse")
    rest(~seen.S, replace=True) << G.A.mxv(label, any_pair)
    if not _spread(G, rest, label, bar):
        inside, _ = rest.to_coo(values=False)
        names = G.out_degree.apply(rowindex).new()[inside].new()
        tree = _hook_and_shortcut(G.A[inside, inside].new(), names.apply(rowindex).new(), bar)
        label[inside] << names[_values(tree)].new()
    return label


def _both_directions(G: Graph) -> Graph:
    return type(G)(G.A.ewise_add(G.AT, binary.any).new(BOOL), kind="undirected", copy=False)


def _component_of_hub(G: Graph) -> Any:
    """Return what a search from a vertex of largest degree reaches; nothing if it is long."""
    hubs = G.out_degree.dup(clear=True)
    set_storage_hint(hubs, form="sparse")
    hubs << G.out_degree.select("==", G.max_out_degree)
    return find_reached(G, hubs.apply(indexunary.rowindex).reduce(monoid.min).new().value, LEVELS)


def _spread(G: Graph, rest: Any, label: Any, bar: Progress) -> bool:
    """Lower labels by those that spread from `rest`; whether that has soon come to an end."""
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
    left, edges = int(SHARE * G.n), q.inner(G.out_degree, plus_second).new().value or 0
    for _ in range(min(LEVELS, int(EDGES * G.A.nvals) // max(1, edges))):
        size = q.nvals
        left -= size
        if not size or left < 0:
            break
        spread()
        bar.step()
    return not q.nvals


def _hook_and_shortcut(A: Any, index: Any, bar: Progress) -> Any:
    """Return the smallest vertex of each component; `index` is the vector 0..n-1."""
    T, label = index.dtype, index.dup()
    label(binary.min) << A.mxv(index, semiring.ss.min_secondi[T])
    label = _shortcut(label)
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
        label = _shortcut(label)
        bar.step()


def _shortcut(label: Any) -> Any:
    """f = f(f) until every tree is a star."""
    while True:
        shorter = label[_values(label)].new()
        if shorter.isequal(label):
            return label
        label = shorter


def _values(v: Any) -> Any:
    return v.to_coo(indices=False)[1]
