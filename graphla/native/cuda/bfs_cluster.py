"""The first levels of a native search, while they have few edges, by one cluster of blocks.

A graph with few edges for each vertex and no hubs may have thousands of levels, each shorter than a
barrier of all blocks of the device. Blocks of a cluster wait for fewer others and read each other's
shared memory. From the first level with more than EDGES edges, or more than fit in the shared
memory of a block, the cooperative search of :mod:`graphla.native.cuda.bfs` continues.

The cluster has the first of SIZES blocks that the device can run. If it can run none, as on a
partition of a device, the cooperative search does all levels.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import LazyKernel
from graphla.native.cuda.renumbered.by_degree import DegreeOrderedGraph, first_neighbours
from graphla.native.cuda.runtime import kernel

SIZES = (16, 8)  # blocks of a cluster
BLOCK = 1024  # threads
EDGES = 1 << 16  # most edges of a level
EDGE = 16  # bytes of shared memory for an edge: 8 in each of two levels
MEAN, HUB = 8, 64  # most edges of a vertex: on average, and of the largest
CLUSTERS = 90  # compute capability from which devices have clusters


class ClusterSearch(NamedTuple):
    """The kernel of a graph, the size of its launch, and the first neighbours of all vertices."""

    kernel: LazyKernel
    blocks: int
    room: int  # edges of a level that fit in the shared memory of a block
    firsts: Any

    @property
    def block_size(self) -> dict[str, int]:
        """Threads and bytes of shared memory of a block."""
        return {"block": BLOCK, "shared": EDGE * self.room}

    @property
    def can_run(self) -> bool:
        """Whether the device can run such a cluster."""
        return self.kernel.max_active_clusters(self.blocks * BLOCK, **self.block_size) > 0

    def __call__(self, *args: Any) -> None:
        """Launch the kernel on the current stream."""
        self.kernel(self.blocks * BLOCK, *args, **self.block_size)


def definitions(room: int, blocks: int, firsts: int) -> str:
    """Return the constants of the kernel in addition to those of the cooperative search."""
    return f"enum {{ BLOCKS = {blocks}, ROOM = {room}, FIRSTS = {firsts} }};\n"


def make_cluster_search(graph: DegreeOrderedGraph, search_definitions: str) -> ClusterSearch | None:
    """Return the search of a graph by a cluster, with the definitions of the cooperative search.

    It is None if the graph does not suit it, the device cannot run a cluster, or memory is short
    for the first neighbours.
    """
    if not is_narrow(graph) or int(device.arch) < CLUSTERS:
        return None
    width = 4 if graph.out.nvals <= 4 * graph.n else 8
    for blocks in SIZES:
        room = min(EDGES // blocks, device.shared_per_block // EDGE)
        text = search_definitions + definitions(room, blocks, width)
        search = ClusterSearch(kernel("bfs_cluster", text, cooperative=True), blocks, room, None)
        if search.can_run:
            try:
                return search._replace(firsts=first_neighbours(graph.out, width))
            except device.out_of_memory:
                return None
    return None


def is_narrow(graph: DegreeOrderedGraph) -> bool:
    """Return whether a graph has few edges for each vertex and no hubs."""
    if not 0 < graph.out.nvals <= MEAN * graph.n:
        return False
    largest_degree = sum(
        int(device.read_scalar(lists.offsets[1:2])) for lists in (graph.out, graph.into)
    )
    return largest_degree <= 2 * HUB
