"""Native kernels raise graphla's error when device memory is exhausted."""

from __future__ import annotations

import pytest

import graphla as gl
from graphla.cuda.runtime.device import device
from graphla.errors import OutOfDeviceMemory
from graphla.native.cuda import bfs_variants, forest_variants, sssp_variants
from graphla.native.cuda.papers.forest_with_cpu import minimum_spanning_forest_with_cpu
from tests.graphs import random_graph

CALLS = {
    "bfs": lambda G: gl.native.bfs(G, 0),
    "sssp": lambda G: gl.native.sssp(G, 0),
    "minimum_spanning_forest": gl.native.minimum_spanning_forest,
    "connected_components": gl.native.connected_components,
    "pagerank": gl.native.pagerank,
    "triangle_count": gl.native.triangle_count,
    "betweenness_centrality": lambda G: gl.native.betweenness_centrality(G, range(4)),
    "transitive_closure": lambda G: gl.native.transitive_closure(G, max_bytes=1 << 30),
    "all_pairs_shortest_paths": lambda G: gl.native.all_pairs_shortest_paths(G, range(20)),
    "minimum_spanning_forest_with_cpu": minimum_spanning_forest_with_cpu,
    "push": lambda G: bfs_variants["push"](G, 0),
    "edges": lambda G: sssp_variants["edges"](G, 0),
    "sorted": forest_variants["sorted"],
}


@pytest.mark.parametrize("name", CALLS)
def test_out_of_memory_is_reported(name):
    G = random_graph(3000, 9000, dtype="int32", kind="undirected").to("cuda")
    device.pool_bytes(release=True)
    device.limit_memory(1000)
    try:
        held = taken()  # the pool would reuse its free memory
        with pytest.raises(OutOfDeviceMemory):
            CALLS[name](G)
        del held
    finally:
        device.limit_memory(None)


def taken():
    """Return arrays that fill device memory, down to pieces of the limit's size."""
    held, size = [], 1 << 30
    while size >= 4096:
        try:
            held.append(device.xp.empty(size, "uint8"))
        except device.out_of_memory:
            size //= 2
    return held
