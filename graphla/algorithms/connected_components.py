"""Connected components: search the component of a hub, then hook and shortcut trees of the rest.

A vertex carries a label f, the smallest vertex of its tree so far. One round is

    y   = f min A min.second f        (smallest label in the closed neighbourhood)
    f   = f min P' min.first y        (hooking: P(i, f(i)), so a root takes its tree's smallest)
    f   = f(f) until nothing changes  (shortcutting)

until y = f. Every second round at least halves the unfinished trees. Most graphs
of short paths have one large component, which a direction-optimised search finds
in fewer operations; where that search would be long it is given up.

Source: Y. Shiloach, U. Vishkin, J. Algorithms 3 (1982), in the algebraic form of
Y. Zhang, A. Azad, Z. Hu, "FastSV", PP 2020; the search first: G. Slota,
S. Rajamanickam, K. Madduri, IPDPS 2014.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, indexunary, monoid, semiring
from graphblas.dtypes import BOOL, INT64

from graphla import checks
from graphla.algorithms.hub_component import reached
from graphla.direction import store
from graphla.progress import Progress

if TYPE_CHECKING:
    from graphla.graph import Graph

LEVELS = 64  # a longer search is given up

any_pair = semiring.any_pair[BOOL]
min_first, min_second = semiring.min_first[INT64], semiring.min_second[INT64]
min_secondi = semiring.ss.min_secondi[INT64]
rowindex = indexunary.rowindex[INT64]


def connected_components(G: Graph, *, progress: bool = False) -> Any:
    """Label each vertex with the smallest vertex of its connected component.

    Parameters
    ----------
    G : Graph
        Weights are ignored. Components of a directed graph are the weak ones;
        its symmetric structure is built on each call.
    progress : bool
        Show a bar of the steps: the search, then rounds of hooking.

    Returns
    -------
    Vector
        INT64 with all n entries; two vertices have the same value exactly where
        a path that may use edges in either direction joins them.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([4, 1, 2], [1, 0, 3], n=6)
    >>> gl.connected_components(G).to_dense().tolist()
    [0, 0, 2, 2, 0, 5]
    """
    checks.room(G)
    with Progress(progress, "connected_components") as bar:
        return _labels(G if G.is_symmetric else _both_directions(G), bar)


def _labels(G: Graph, bar: Progress) -> Any:
    """Label the components of a symmetric graph."""
    label = G.vector(INT64)
    label << 0
    label << label.apply(rowindex)
    if not G.A.nvals:
        return label
    seen = _component_of_hub(G)
    bar.step()
    if not seen.nvals:
        return _hook_and_shortcut(G.A, label, bar)
    rest = G.vector(BOOL)  # vertices outside that have an edge
    rest(~seen.S) << G.A.mxv(label, any_pair)
    label(seen.S) << seen.inner(label, min_second).new().value
    if rest.nvals:
        inside, _ = rest.to_coo(values=False)
        names = label[inside].new()
        tree = _hook_and_shortcut(G.A[inside, inside].new(), names.apply(rowindex).new(), bar)
        label[inside] << names[_values(tree)].new()
    return label


def _both_directions(G: Graph) -> Graph:
    return type(G)(G.A.ewise_add(G.AT, binary.any).new(BOOL), kind="undirected", copy=False)


def _component_of_hub(G: Graph) -> Any:
    """Return what a search from a vertex of largest degree reaches; nothing if it is long."""
    hubs = G.out_degree.dup(clear=True)
    store(hubs, form="sparse")
    hubs << G.out_degree.select("==", G.max_out_degree)
    return reached(G, hubs.apply(rowindex).reduce(monoid.min).new().value, LEVELS)


def _hook_and_shortcut(A: Any, index: Any, bar: Progress) -> Any:
    """Return the smallest vertex of each component; `index` is the vector 0..n-1."""
    label = index.dup()
    label(binary.min) << A.mxv(index, min_secondi)
    label = _shortcut(label)
    vertices = _values(index)
    P = A.dup(INT64, clear=True)
    while True:
        y = label.dup()
        y(binary.min) << A.mxv(label, min_second)
        if y.isequal(label):
            return label
        roots = _values(label)
        P.clear()
        P.build(vertices, roots, roots)
        label(binary.min) << y.vxm(P, min_first)
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
