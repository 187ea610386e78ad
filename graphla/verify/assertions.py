"""Read the parts of a result and assert properties of them, for :mod:`graphla.verify`.

`read_*` functions check the form of a part and return its arrays, `check_*` functions assert a
property; both raise :class:`~graphla.errors.VerificationError` with the first bad vertex or edge.
"""

from __future__ import annotations

from math import fsum, isclose
from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas import unary
from graphblas.dtypes import BOOL

from graphla.core.engines import array_module, engine_of, host_array, moved
from graphla.core.validation import full_name, refuse_result
from graphla.errors import DomainMismatch, VerificationError
from graphla.verify.edge_passes import (
    chain_ends_and_depths,
    csr_arrays,
    edge_blocks,
    share_of,
    smallest_in_component,
)

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def fail_where(wrong: Any, text: str, *columns: Any) -> None:
    """Raise if any element of `wrong` is True.

    `text` is formatted with the index of the first one and the values of `columns` there.
    """
    if bool(wrong.any()):
        first = int(wrong.argmax())
        values = (host_array(column[first : first + 1])[0] for column in columns)
        raise VerificationError(text.format(first, *values))


def _on_engine_of(G: Graph, x: Any) -> Any:
    """Return a Vector on the engine of the graph."""
    return x if engine_of(x) == G.engine else moved(x, G.engine)


def read_vector(G: Graph, name: str, x: Any, *, complete: bool = False) -> tuple[Any, Any]:
    """Return (values, present): dense values, 0 at missing entries, and the mask of entries."""
    refuse_result(x, name)
    if not hasattr(x, "to_coo"):
        raise DomainMismatch(f"{name} must be a Vector, not {full_name(x)}")
    if x.shape != (G.n,):
        raise VerificationError(f"{name} has shape {x.shape}; the graph has {G.n} vertices")
    x = _on_engine_of(G, x)
    whole = x.gathered() if G.engine == "ranks" else x  # fewer bytes than indices and values
    values = whole.to_dense(0, x.dtype)
    present = whole.apply(unary.one[x.dtype]).new(BOOL).to_dense(False, BOOL)
    if complete:
        fail_where(~present, name + "[{}] has no entry")
    return values, present


def read_vertices(G: Graph, name: str, x: Any) -> Any:
    """Return a Vector of vertex numbers as a dense array, -1 at missing entries.

    The array is of the graph's index dtype: up to 2^31 vertices, half the memory of INT64.
    """
    values, present = read_vector(G, name, x)
    dtype = G.index_dtype.np_type
    as_is = values.dtype.kind == "f" or values.dtype == dtype
    number = values if as_is else values.astype(np.int64)  # n - 1 fits; 2^63 wraps below 0
    fail_where(~((number >= 0) & (number <= G.n - 1)), name + "[{}] is {}: not in 0..n-1", values)
    vertex = number.astype(dtype, copy=False)
    fail_where(vertex != number, name + "[{}] is {}: not an integer", values)
    return share_of(G).xp.where(present, vertex, dtype.type(-1))


def read_tree(G: Graph, source: int, parent: Any) -> tuple[Any, Any]:
    """Return (parent, depth) of a tree rooted at `source`; both are -1 outside the tree."""
    parent = read_vertices(G, "parent", parent)
    xp = share_of(G).xp
    outside = parent < 0
    end, depth = chain_ends_and_depths(
        xp, xp.where(outside, xp.arange(G.n, dtype=parent.dtype), parent)
    )
    fail_where(~outside & (end != source), f"parents do not lead from vertex {{}} to {source}")
    if bool(outside[source]):
        raise VerificationError(f"parent[{source}] of the source has no entry")
    depth[outside] = -1
    return parent, depth


def check_levels_of_parents(source: int, level: Any, parent: Any) -> None:
    """Assert that the parent of each vertex with a level is one level nearer to the source.

    Then the parents are a tree, and the levels its depths. Both are -1 at unreached vertices.
    """
    if int(parent[source]) != source or int(level[source]):
        found = f"level {int(level[source])} and parent {int(parent[source])}"
        raise VerificationError(f"the source {source} has {found}, not 0 and itself")
    text = "vertex {} has level {} and parent {}, where -1 is no entry"
    fail_where((level < 0) != (parent < 0), text, level, parent)
    above = level[parent]  # not used where parent is -1
    text = "level[{}] is {}, its parent {} has level {}"
    wrong = (level >= 0) & ((above < 0) | (level - above != 1))
    wrong[source] = False
    fail_where(wrong, text, level, parent, above)


def check_labels(G: Graph, component: Any, smallest: Any) -> None:
    """Assert that each label is the smallest vertex of the vertex's component."""
    label = read_vertices(G, "component", component)
    text = "component[{}] is {}; the smallest vertex of that component is {}"
    fail_where(label != smallest, text, label, smallest)


def read_communities(G: Graph, community: Any) -> Any:
    """Return labels, each of which must be the smallest vertex that has it and of its component."""
    label = read_vertices(G, "community", community)
    fail_where(label < 0, "community[{}] has no entry")
    smallest = np.full(G.n, G.n)
    np.minimum.at(smallest, label, np.arange(G.n))
    text = "community[{}] is {}; the smallest vertex with that label is {}"
    fail_where(label != smallest[label], text, label, smallest[label])
    component = smallest_in_component(np, G.n, edge_blocks(G))
    text = "community[{}] is {}, a vertex of another component"
    fail_where(component[label] != component, text, label)
    return label


def check_same_entries(name: str, n: int, found: Any, expected: Any) -> None:
    """Assert that two n x n matrices, given by their (rows, columns), have the same entries."""
    found, expected = (rows.astype(np.int64) * n + columns for rows, columns in (found, expected))
    for text, missing in (
        ("the {} lacks the edge {} -- {}", np.setdiff1d(expected, found)),
        ("the {} has the edge {} -- {}, which should not be in it", np.setdiff1d(found, expected)),
    ):
        if missing.size:
            raise VerificationError(text.format(name, *divmod(int(missing[0]), n)))


def read_forest_edges(G: Graph, edges: Any) -> tuple[Any, Any, Any]:
    """Return a forest's (src, dst, weight) sorted by (src, dst); all must be edges of the graph."""
    xp = array_module(G.engine)
    for name, column in zip(("src", "dst", "weight"), edges, strict=True):
        if column.nvals < column.size:
            raise VerificationError(
                f"a forest's {name} has {column.nvals} of {column.size} entries"
            )
    src, dst, weight = (_on_engine_of(G, column).to_dense() for column in edges)
    if not src.shape == dst.shape == weight.shape == (src.size,):
        raise VerificationError(f"edge columns of shapes {src.shape} {dst.shape} {weight.shape}")
    wrong = ~((src >= 0) & (src < dst) & (dst < G.n))
    fail_where(wrong, "forest edge {1} -- {2}: not 0 <= src < dst < n", src, dst)
    stored, (src, dst) = (src, dst), (x.astype(np.int64) for x in (src, dst))
    wrong = (stored[0] != src) | (stored[1] != dst)
    fail_where(wrong, "forest edge {1} -- {2}: not integers", *stored)
    order = xp.argsort(src * G.n + dst, kind="stable")
    src, dst, weight = src[order], dst[order], weight[order]
    # Both edge lists ascend by src n + dst: bisect each graph block for the forest edges in it.
    key, missing = src * G.n + dst, xp.ones(src.size, bool)
    for u, v, w in edge_blocks(G):
        graph_key = u * np.int64(G.n) + v
        part = slice(*(int(xp.searchsorted(key, k)) for k in (graph_key[0], graph_key[-1] + 1)))
        position = xp.searchsorted(graph_key, key[part])
        missing[part] = (graph_key[position] != key[part]) | (w[position] != weight[part])
    fail_where(missing, "the graph has no edge {1} -- {2} of weight {3}", src, dst, weight)
    return src, dst, weight


def check_no_lighter_edge(G: Graph, root: Any, rounds: list[tuple[Any, Any]]) -> None:
    """Assert that no edge of the graph is lighter than an edge of the forest path it closes.

    `root` holds the forest's component of each vertex, `rounds` is the result of
    :func:`~graphla.verify.edge_passes.boruvka_rounds` on the forest.
    """
    text = "edge {1} -- {2} of weight {3} is lighter than one of weight {4} on its path"
    for u, v, w in edge_blocks(G):
        upper = u < v
        u, v, w = u[upper], v[upper], w[upper]
        fail_where(root[u] != root[v], "the forest does not connect edge {1} -- {2}", u, v)
        a, b = u, v  # the parts of u and v in this round; an edge is done once they are equal
        for joining_weight, merged_part in rounds:
            heaviest = array_module(G.engine).maximum(joining_weight[a], joining_weight[b])
            fail_where(w < heaviest, text, u, v, w, heaviest)
            a, b = merged_part[a], merged_part[b]
            apart = a != b
            u, v, w, a, b = (x[apart] for x in (u, v, w, a, b))


def check_total_weight(weight: Any, total: Any, rtol: float) -> None:
    """Assert that `total` is the sum of the weights, exactly for integers; None passes."""
    if total is None:
        return
    exact = weight.dtype.kind != "f"
    expected = _integer_sum(weight) if exact else fsum(host_array(weight).tolist())
    if expected != total and (exact or not isclose(expected, total, rel_tol=rtol)):
        raise VerificationError(f"weight is {total}; the edges weigh {expected}")


def _integer_sum(x: Any) -> int:
    """Return the exact sum, which may need more than 64 bits: the 32-bit halves are summed."""
    x = x.astype(np.uint64 if x.dtype.kind == "u" else np.int64)
    return (int((x >> 32).sum()) << 32) + int((x & 0xFFFFFFFF).sum())


def read_distances(
    G: Graph, distance: Any, rtol: float | None
) -> tuple[Graph, Any, Any, float, float]:
    """Return (graph, distances, reached, rtol, atol) for comparisons of d[u] + weight with d[v].

    The distances are FP64, INT64, or Python integers if a sum of two values may exceed INT64;
    for the last, which only the CPU has, the graph is returned on engine "cpu". Integers are
    compared exactly (both tolerances 0). With FP32, `atol` is the least normal number: a device
    may flush subnormal numbers to 0 when it casts.
    """
    d, reached = read_vector(G, "distance", distance)
    w = d[:0] if (values := csr_arrays(G)[2]) is None else values
    if "f" in (d.dtype.kind, w.dtype.kind):
        single = np.float32 in (d.dtype, w.dtype)
        default, least = (1e-6, np.finfo("f4").tiny) if single else (1e-12, 0)
        return G, d.astype(np.float64), reached, default if rtol is None else rtol, float(least)
    largest = max((abs(int(x)) for a in (d, w) if a.size for x in (a.min(), a.max())), default=0)
    if largest >= 2**62:
        return G.to("cpu"), host_array(d).astype(object), host_array(reached), 0, 0
    return G, d.astype(np.int64), reached, 0, 0
