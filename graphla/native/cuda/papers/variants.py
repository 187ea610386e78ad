"""Breadth-first searches of textbooks and papers, which compute the levels of the vertices.

Each variant takes a graph on engine "cuda" and a source, and returns a Vector of levels of the
graph's index dtype, with entries for the reached vertices. The host launches a kernel for each
level and reads back one word. Only "block" runs several levels in one launch.

Source: W. Hwu, D. Kirk, I. El Hajj, "Programming massively parallel processors", 4th
edition, ch. 15; D. Merrill, M. Garland, PPoPP 2012 ("buckets"); A. Kolganov, 2014 ("bytes"), 2018
("interleaved").
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.core import validation
from graphla.core.properties import derive
from graphla.cuda.device_arrays import csr_of, empty_bitmap, vector_from_bitmap
from graphla.cuda.expressions.statement import translate_out_of_memory
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import cuda_type
from graphla.errors import EngineMismatch
from graphla.native.cuda.renumbered.by_degree import degree_ordered
from graphla.native.cuda.runtime import kernel
from graphla.transform import Interleaved, Rows, block_edges, interleave

if TYPE_CHECKING:
    from graphla.core.graph import Graph

ROOM = 4096  # vertices of a frontier that fit in the shared memory of one block
MEDIUM, LARGE = 32, 1024  # degrees from which a warp, and a block, expands a vertex
PULL_FROM, PUSH_FROM = 20, 50  # pull from n/20 frontier vertices on, push again below n/50
HEAVIEST = 0.4  # share of the vertices, by degree, whose neighbours are interleaved
SEGMENT = 1 << 20  # vertices whose one-byte levels fit in the cache


def _initial_levels(n: int, source: int) -> Any:
    level = device.xp.full(n, -1, np.int32)
    level[source] = 0
    return level


def _run_levels(run_level: Callable[[int, Any], None], start: int = 0) -> int:
    """Run levels until one finds no vertex; return its number.

    A level that finds a vertex writes its number to the word `changed`.
    """
    depth, changed = start, device.xp.full(1, start, np.uint32)
    while device.read_scalar(changed) == depth:
        depth += 1
        run_level(depth, changed)
    return depth


def pack(level: Any, dtype: Any) -> Any:
    """Return the levels that are not negative as the entries of a Vector."""
    entries = empty_bitmap(level.size, dtype.np_type)
    run = kernel("pack_levels", f"typedef {cuda_type(dtype.np_type)} Level;\n")
    run(level.size, level.size, level, entries.values, entries.bits)
    return vector_from_bitmap(entries, dtype)


def push(G: Graph, source: int) -> Any:
    """Vertex-centric, top-down: a thread expands a vertex."""
    A, level = csr_of(G.A), _initial_levels(G.n, source)
    run = kernel("levels_push", A.typedefs())
    _run_levels(lambda depth, changed: run(G.n, G.n, A.indptr, A.indices, level, depth, changed))
    return level


def pull(G: Graph, source: int) -> Any:
    """Vertex-centric, bottom-up: a thread checks the neighbours of an unvisited vertex."""
    A, level = csr_of(G.AT), _initial_levels(G.n, source)
    run = kernel("levels_pull", A.typedefs())
    _run_levels(lambda depth, changed: run(G.n, G.n, A.indptr, A.indices, level, depth, changed))
    return level


def edges(G: Graph, source: int) -> Any:
    """Edge-centric: a thread tests an edge, all edges at every level."""
    A, level = csr_of(G.A), _initial_levels(G.n, source)
    rows = derive(G, _row_of_each_edge)
    run = kernel("levels_edges", A.typedefs())
    _run_levels(
        lambda depth, changed: run(A.nvals, A.nvals, rows, A.indices, level, depth, changed)
    )
    return level


def _row_of_each_edge(G: Graph) -> Any:
    return csr_of(G.A).row_indices()


def _segmented_edges(G: Graph) -> tuple[Any, Any]:
    """Return the edges by segments of their ends, an edge of an undirected graph once."""
    blocks = block_edges(G, SEGMENT)
    return blocks.src, blocks.dst


def bytes_(G: Graph, source: int) -> Any:
    """Edge-centric with levels of one byte, edges ordered by segments of their ends."""
    sources, targets = derive(G, _segmented_edges)
    level = _initial_levels(G.n, source)
    level_bytes = device.xp.full(G.n, 255, np.uint8)  # modulo 255; 255: not reached
    level_bytes[source] = 0
    text = f"#define BOTH {int(G.kind == 'undirected')}\n"
    run, widen = kernel("levels_bytes", text), kernel("levels_bytes", text, "widen_levels")

    def run_level(depth: int, changed: Any) -> None:
        if depth % 255 == 0:
            widen(G.n, G.n, level_bytes, depth - 255, level)
        run(sources.size, sources.size, sources, targets, level_bytes, depth, changed)

    last = _run_levels(run_level)
    widen(G.n, G.n, level_bytes, last // 255 * 255, level)
    return level


def _search_by_frontiers(G: Graph, source: int, file: str) -> Any:
    """Search with the kernel of a file, which expands a frontier into the next one."""
    A, level, xp = csr_of(G.A), _initial_levels(G.n, source), device.xp
    run = kernel(file, A.typedefs())
    queue, next_queue = xp.full(G.n, source, np.int32), xp.empty(G.n, np.int32)
    depth, size = 0, 1
    while size:
        depth, count = depth + 1, xp.zeros(1, np.uint32)
        run(size, size, queue, A.indptr, A.indices, level, depth, next_queue, count)
        queue, next_queue, size = next_queue, queue, device.read_scalar(count)
    return level


def frontier(G: Graph, source: int) -> Any:
    """Frontiers that grow by one global counter."""
    return _search_by_frontiers(G, source, "levels_frontier")


def private(G: Graph, source: int) -> Any:
    """Frontiers that blocks collect in shared memory."""
    return _search_by_frontiers(G, source, "levels_private")


def block(G: Graph, source: int) -> Any:
    """Frontiers; one block runs consecutive levels of small ones in one launch."""
    A, level, xp = csr_of(G.A), _initial_levels(G.n, source), device.xp
    run_level = kernel("levels_frontier", A.typedefs())
    run_small_levels = kernel("levels_block", A.typedefs() + f"enum {{ ROOM = {ROOM} }};\n")
    queue, next_queue = xp.full(G.n, source, np.int32), xp.empty(G.n, np.int32)
    depth, size, state = 0, 1, xp.empty(2, np.uint32)
    while size:
        if size <= ROOM:
            run_small_levels(
                1, size, queue, A.indptr, A.indices, level, depth, G.n + 1, state, block=1024
            )
            depth, size = map(int, device.read_words(state))
            continue
        depth, count = depth + 1, xp.zeros(1, np.uint32)
        run_level(size, size, queue, A.indptr, A.indices, level, depth, next_queue, count)
        queue, next_queue, size = next_queue, queue, device.read_scalar(count)
    return level


def _search_by_buckets(indptr: Any, indices: Any, level: Any, source: int, widest: int) -> int:
    """Search while a frontier has at most `widest` vertices; return the last level.

    A frontier is an array of three buckets of n vertices: expanded by a thread, a warp, a block.
    """
    xp, n = device.xp, level.size
    text = f"typedef {cuda_type(indptr.dtype)} Offset;\n"
    run = kernel("levels_buckets", text + f"enum {{ MEDIUM = {MEDIUM}, LARGE = {LARGE} }};\n")
    queue, next_queue = xp.full(3 * n, source, np.int32), xp.empty(3 * n, np.int32)
    depth, sizes = 0, [0, 0, 1]
    while 0 < sum(sizes) <= widest:
        depth, counts = depth + 1, xp.zeros(3, np.uint32)
        for k, team_size in enumerate((1, 32, 256)):
            if sizes[k]:
                run(
                    sizes[k] * team_size, sizes[k], n, queue[k * n :], team_size, indptr, indices,
                    level, depth, next_queue, counts,
                )  # fmt: skip
        queue, next_queue, sizes = next_queue, queue, device.read_words(counts).tolist()
    return depth


def buckets(G: Graph, source: int) -> Any:
    """Frontiers in buckets: a thread, a warp or a block expands a vertex, by its degree."""
    A, level = csr_of(G.A), _initial_levels(G.n, source)
    _search_by_buckets(A.indptr, A.indices, level, source, G.n)
    return level


def interleaved(G: Graph, source: int, share: float = HEAVIEST) -> Any:
    """Buckets, vertices numbered by degree, and bottom-up from the first wide frontier on.

    Bottom-up, the threads of a warp read neighbours of the heaviest vertices that are adjacent in
    memory.
    """
    graph, level = degree_ordered(G), _initial_levels(G.n, source)
    rows = derive(G, _interleaved, share)
    start = int(device.read_scalar(graph.rank[source]))
    if start < 0:
        return level
    n, renumbered_level = graph.n, _initial_levels(graph.n, start)
    out = graph.out.offsets, graph.out.neighbours.view(np.int32)
    depth = _search_by_buckets(*out, renumbered_level, start, n // PULL_FROM)
    lists = rows.first, rows.starts, rows.ids, rows.indptr, rows.indices
    run = kernel("levels_interleaved", f"typedef {cuda_type(rows.indptr.dtype)} Offset;\n")
    _run_levels(
        lambda depth, changed: run(n, n, *lists, renumbered_level, depth, changed), start=depth
    )
    level[graph.order] = renumbered_level
    return level


def _interleaved(G: Graph, share: float) -> Interleaved:
    """Return the in-neighbours in the numbering by degree, a share of the rows interleaved."""
    graph = degree_ordered(G)
    offsets, neighbours = graph.into[:2]
    rows = Rows(graph.n, offsets, neighbours.view(np.int32), None, "column", G.kind, G.engine)
    return interleave(rows, share)


def direction_optimised(G: Graph, source: int) -> Any:
    """Frontiers, and bottom-up while these are large."""
    A, AT, level, xp = csr_of(G.A), csr_of(G.AT), _initial_levels(G.n, source), device.xp
    push_queue = kernel("levels_frontier", A.typedefs())
    list_level = kernel("levels_frontier", A.typedefs(), "list_level")
    pull_level = kernel("levels_pull", AT.typedefs())
    queue, next_queue = xp.full(G.n, source, np.int32), xp.empty(G.n, np.int32)
    depth, size, is_queued = 0, 1, True
    while size:
        depth, count, changed = depth + 1, xp.zeros(1, np.uint32), xp.zeros(1, np.uint32)
        if size * (PULL_FROM if is_queued else PUSH_FROM) > G.n:
            pull_level(G.n, G.n, AT.indptr, AT.indices, level, depth, changed)
            size, is_queued = int((level == depth).sum()), False
            continue
        if not is_queued:
            list_level(G.n, G.n, level, depth - 1, queue, count)
            count, is_queued = xp.zeros(1, np.uint32), True
        push_queue(size, size, queue, A.indptr, A.indices, level, depth, next_queue, count)
        queue, next_queue, size = next_queue, queue, device.read_scalar(count)
    return level


def _variant(search: Callable[[Graph, int], Any]) -> Callable[[Graph, int], Any]:
    """Return a function that checks its arguments, searches, and returns a Vector."""

    def run(G: Graph, source: int) -> Any:
        source = validation.check_vertex(G, source)
        if G.engine != "cuda":
            raise EngineMismatch(f"the search runs on engine 'cuda', the graph is on {G.engine!r}")
        return pack(search(G, source), G.index_dtype)

    run.__name__, run.__doc__ = search.__name__.strip("_"), search.__doc__
    run.__qualname__ = run.__name__
    return translate_out_of_memory(run)


bfs_variants = {
    name: _variant(search)
    for name, search in {
        "push": push,
        "pull": pull,
        "interleaved": interleaved,
        "direction-optimised": direction_optimised,
        "edges": edges,
        "frontier": frontier,
        "private": private,
        "block": block,
        "buckets": buckets,
        "bytes": bytes_,
    }.items()
}
