"""The first levels of a native search, as long as they have few edges, by one cluster of blocks.

A graph of few edges a vertex and no hubs may have thousands of levels, each over before all
blocks of the device have waited for each other; those of a cluster wait less, and see each
other's shared memory. From a level of more than EDGES edges on, or of more than a block has
room for, the cooperative search goes on.

The cluster is the first of SIZES that the device runs; where it runs none, as a part of a
device may, all levels are the cooperative search's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from graphla.cuda.runtime.compile import LazyKernel
from graphla.cuda.runtime.device import device
from graphla.native.cuda.by_degree import ByDegree, first_few
from graphla.native.cuda.runtime import kernel

SIZES = (16, 8)  # blocks
BLOCK = 1024  # threads
EDGES = 1 << 16  # of a level
EDGE = 16  # bytes of shared memory for an edge: 8 in each of two levels
MEAN, HUB = 8, 64  # most edges of a vertex, on average and at all
CLUSTERS = 90  # compute capability that has them


class Narrow(NamedTuple):
    """What begins the searches of a graph: its cluster, and first neighbours of all vertices."""

    kernel: LazyKernel
    blocks: int
    room: int  # edges of a level that a block keeps
    firsts: Any

    @property
    def size(self) -> dict[str, int]:
        """The size of a block."""
        return {"block": BLOCK, "shared": EDGE * self.room}

    @property
    def runs(self) -> bool:
        """Whether the device has such clusters."""
        return self.kernel.max_active_clusters(self.blocks * BLOCK, **self.size) > 0

    def __call__(self, *args: Any) -> None:
        """Search, on the current stream."""
        self.kernel(self.blocks * BLOCK, *args, **self.size)


def definitions(room: int, blocks: int, firsts: int) -> str:
    """Return what the kernel takes as given besides, for so many first neighbours."""
    return f"enum {{ BLOCKS = {blocks}, ROOM = {room}, FIRSTS = {firsts} }};\n"


def narrow(graph: ByDegree, given: str) -> Narrow | None:
    """Return what begins searches of a graph, None where nothing is gained or there is no cluster.

    Nor is there one where first neighbours do not fit into memory. `given` are the definitions
    that the cooperative search has as well.
    """
    if not suits(graph) or int(device.arch) < CLUSTERS:
        return None
    few = 4 if graph.out.nvals <= 4 * graph.n else 8
    for blocks in SIZES:
        room = min(EDGES // blocks, device.shared_per_block // EDGE)
        text = given + definitions(room, blocks, few)
        made = Narrow(kernel("bfs_narrow", text, cooperative=True), blocks, room, None)
        if made.runs:
            return _filled(made, graph, few)
    return None


def _filled(made: Narrow, graph: ByDegree, few: int) -> Narrow | None:
    try:
        return made._replace(firsts=first_few(graph.out, few))
    except device.out_of_memory:  # the cooperative search does without
        return None


def suits(graph: ByDegree) -> bool:
    """Return whether a graph has few edges a vertex and no hubs."""
    if not 0 < graph.out.nvals <= MEAN * graph.n:
        return False
    hub = sum(int(device.read_scalar(rows.ends[1:2])) for rows in (graph.out, graph.into))
    return hub <= 2 * HUB
