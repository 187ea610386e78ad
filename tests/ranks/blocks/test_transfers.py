"""Nothing of a block is copied to the host implicitly, nor mixed with arrays of the host."""

from __future__ import annotations

import pytest

from tests.algorithm_calls import algorithms, tiny
from tests.cuda.strict_simulator import StrictSimulator
from tests.ranks.test_every_algorithm import MANY_STATEMENTS, check

ARRAYS_TO_HOST = {  # by tolist(), as on one device
    *("adamic_adar_index", "common_neighbors", "common_neighbors_by_community"),
    *("jaccard_coefficient", "resource_allocation_by_community", "resource_allocation_index"),
    "within_inter_cluster",
}
QUICK = ("bfs", "pagerank", "sssp", "connected_components", "triangle_count", "k_core", "louvain")


@pytest.fixture(autouse=True)
def strict(monkeypatch):
    from graphla.cuda.runtime.device import device

    monkeypatch.setattr(device, "active", StrictSimulator())


@pytest.mark.parametrize("name", QUICK)
def test_two_ranks(name):
    check(name, tiny("undirected"), 2, "cuda")


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["undirected", "directed"])
@pytest.mark.parametrize(
    "name", sorted(set(algorithms()).difference(MANY_STATEMENTS, ARRAYS_TO_HOST, QUICK))
)
def test_every_algorithm(name, kind):
    check(name, tiny(kind), 2, "cuda")
