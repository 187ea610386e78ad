"""Reading what a result claims, and refuting it: the vocabulary of :mod:`graphla.verify`."""

from __future__ import annotations

from math import fsum, isclose
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.core.engines import array_module, engine_of, host_array, moved
from graphla.errors import VerificationError
from graphla.verify.edge_passes import chain_ends_and_depths, csr_arrays, edge_blocks

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def fail_where(wrong: Any, text: str, *columns: Any) -> None:
    """Raise where `wrong` holds; `text` is formatted with the first index and its values."""
    if bool(wrong.any()):
        first = int(wrong.argmax())
        values = (host_array(column[first : first + 1])[0] for column in columns)
        raise VerificationError(text.format(first, *values))


def _here(G: Graph, x: Any) -> Any:
    """Return a Vector on the engine of the graph."""
    return x if engine_of(x) == G.engine else moved(x, G.engine)


def read_vector(G: Graph, name: str, x: Any, *, complete: bool = False) -> tuple[Any, Any]:
    """Return a Vector's values, 0 where there is none, and where there is one."""
    if x.shape != (G.n,):
        raise VerificationError(f"{name} has shape {x.shape}; the graph has {G.n} vertices")
    xp, (index, given) = array_module(G.engine), _here(G, x).to_coo()
    values, present = xp.zeros(G.n, given.dtype), xp.zeros(G.n, bool)
    values[index], present[index] = given, True
    if complete:
        fail_where(~present, name + "[{}] has no entry")
    return values, present


def read_vertices(G: Graph, name: str, x: Any) -> Any:
    """Return a Vector of numbers in 0..n-1 as an INT64 array, -1 where it has no entry."""
    values, present = read_vector(G, name, x)
    number = values if values.dtype.kind == "f" else values.astype(np.int64)  # 2^63 wraps below 0
    fail_where(~((number >= 0) & (number < G.n)), name + "[{}] is {}: not in 0..n-1", values)
    whole = number.astype(np.int64)
    fail_where(whole != number, name + "[{}] is {}: not an integer", values)
    whole[~present] = -1
    return whole


def read_tree(G: Graph, source: int, parent: Any) -> tuple[Any, Any]:
    """Return parents and depths of a tree rooted at `source`, both -1 outside it."""
    parent = read_vertices(G, "parent", parent)
    xp = array_module(G.engine)
    itself = xp.arange(G.n)
    end, depth = chain_ends_and_depths(xp, xp.where(parent < 0, itself, parent))
    outside = parent < 0
    fail_where(~outside & (end != source), f"parents do not lead from vertex {{}} to {source}")
    fail_where(outside & (itself == source), "parent[{}] of the source has no entry")
    depth[outside] = -1
    return parent, depth


def check_labels(G: Graph, component: Any, smallest: Any) -> None:
    """Refute labels that are not the smallest vertex of each vertex's component."""
    label = read_vertices(G, "component", component)
    text = "component[{}] is {}; the smallest vertex of that component is {}"
    fail_where(label != smallest, text, label, smallest)


def read_forest_edges(G: Graph, edges: Any) -> tuple[Any, Any, Any]:
    """Return a forest's columns sorted, refuting what is not an edge of the graph."""
    xp = array_module(G.engine)
    for name, column in zip(("src", "dst", "weight"), edges, strict=True):
        if column.nvals < column.size:
            raise VerificationError(
                f"a forest's {name} has {column.nvals} of {column.size} entries"
            )
    src, dst, weight = (_here(G, column).to_dense() for column in edges)
    if not src.shape == dst.shape == weight.shape == (src.size,):
        raise VerificationError(f"edge columns of shapes {src.shape} {dst.shape} {weight.shape}")
    wrong = ~((src >= 0) & (src < dst) & (dst < G.n))
    fail_where(wrong, "forest edge {1} -- {2}: not 0 <= src < dst < n", src, dst)
    given, (src, dst) = (src, dst), (x.astype(np.int64) for x in (src, dst))
    wrong = (given[0] != src) | (given[1] != dst)
    fail_where(wrong, "forest edge {1} -- {2}: not integers", *given)
    order = xp.argsort(src * G.n + dst, kind="stable")
    src, dst, weight = src[order], dst[order], weight[order]
    key, missing = src * G.n + dst, xp.ones(src.size, bool)
    for u, v, w in edge_blocks(G):
        keys = u * np.int64(G.n) + v
        mine = slice(*(int(xp.searchsorted(key, k)) for k in (keys[0], keys[-1] + 1)))
        at = xp.searchsorted(keys, key[mine])
        missing[mine] = (keys[at] != key[mine]) | (w[at] != weight[mine])
    fail_where(missing, "the graph has no edge {1} -- {2} of weight {3}", src, dst, weight)
    return src, dst, weight


def check_no_lighter_edge(G: Graph, root: Any, rounds: list[tuple[Any, Any]]) -> None:
    """Raise if an edge of the graph improves the forest of `root` and :func:`boruvka_rounds`."""
    lighter = "edge {1} -- {2} of weight {3} is lighter than one of weight {4} on its path"
    for u, v, w in edge_blocks(G):
        upper = u < v
        u, v, w = u[upper], v[upper], w[upper]
        fail_where(root[u] != root[v], "the forest does not connect edge {1} -- {2}", u, v)
        a, b = u, v  # the parts of u and v, up to the round in which they meet
        for left_by, into in rounds:
            heaviest = array_module(G.engine).maximum(left_by[a], left_by[b])
            fail_where(w < heaviest, lighter, u, v, w, heaviest)
            a, b = into[a], into[b]
            apart = a != b
            u, v, w, a, b = (x[apart] for x in (u, v, w, a, b))


def check_total_weight(weight: Any, claimed: Any, rtol: float) -> None:
    """Refute a total weight, if claimed; no overflow or rounding on the way, integers exact."""
    if claimed is None:
        return
    exact = weight.dtype.kind != "f"
    true = _whole_sum(weight) if exact else fsum(host_array(weight).tolist())
    if true != claimed and (exact or not isclose(true, claimed, rel_tol=rtol)):
        raise VerificationError(f"weight is {claimed}; the edges weigh {true}")


def _whole_sum(x: Any) -> int:
    """Return the sum of integers, which may be of more than 64 bits, by their halves."""
    x = x.astype(np.uint64 if x.dtype.kind == "u" else np.int64)
    return (int((x >> 32).sum()) << 32) + int((x & 0xFFFFFFFF).sum())


def read_distances(
    G: Graph, distance: Any, rtol: float | None
) -> tuple[Graph, Any, Any, float, float]:
    """Return distances in a type that takes one more weight, where they are, and what is allowed.

    That is a part of what is compared, and the least normal number: those below have fewer
    digits, and a device may take them as 0 where it casts FP32. The type of integers from 2^62
    on is Python's: the graph comes along to the CPU.
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
