"""Connected components against SciPy, by each strategy."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis.strategies import sampled_from

import graphla as gl
from graphla.algorithms.components import connected_components as module
from tests.algorithms.components.scipy_components import smallest_by_scipy
from tests.every_graph import on_atlas
from tests.graphs import (
    DTYPES,
    assert_vertex_values,
    edge_cases,
    edges,
    from_networkx,
    large_and_small,
    random_graph,
)
from tests.strategies import graphs, signed_weights


def check(G):
    label = gl.connected_components(G)
    assert_vertex_values(label, smallest_by_scipy(G, "weak"), dtype="INT32")


STRATEGIES = {
    "search, then a few labels spread": {},
    "search, then any number of labels spread": {"MAX_LOWERED": 1 << 20},
    "search, then hook and shortcut": {"MAX_LOWERED": 0},
    "hook and shortcut only": {"MAX_LEVELS": 0},
}


@pytest.fixture(params=STRATEGIES)
def strategy(request, monkeypatch):
    for name, value in STRATEGIES[request.param].items():
        monkeypatch.setattr(module, name, value)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("name", [k for k in edge_cases() if k != "empty"])
def test_edge_cases(name, kind, strategy):
    check(edge_cases(kind)[name])


def test_no_vertices():
    assert gl.connected_components(edges([], [], n=0)).size == 0


@on_atlas(empty=False)
def test_atlas(G, strategy):
    check(G)


@given(graphs(max_n=30, max_m=40), sampled_from(list(STRATEGIES.values())))
def test_random_graphs(G, constants):
    with pytest.MonkeyPatch.context() as patch:
        for name, value in constants.items():
            patch.setattr(module, name, value)
        check(G)


@given(graphs(max_n=20, max_m=30, weights=signed_weights))
def test_random_weights_are_ignored(G):
    check(G)


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype_are_ignored(dtype, strategy):
    check(random_graph(60, 50, dtype=dtype, kind="undirected"))
    check(random_graph(60, 50, dtype=dtype))


@pytest.mark.parametrize("m", [500, 1000, 3000])
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_around_the_birth_of_the_large_component(kind, m, strategy):
    for seed in range(3):
        check(random_graph(1000, m, kind=kind, seed=seed))


@pytest.mark.parametrize("seed", range(3))
def test_long_paths_in_any_order_of_names(seed):
    name = np.random.default_rng(seed).permutation(3000)
    path = np.delete(np.arange(2999), [700, 1900])  # three parts
    check(edges(name[path], name[path + 1], n=3000, kind="undirected"))


@pytest.mark.parametrize("seed", range(3))
def test_several_large_components(seed):
    rng = np.random.default_rng(seed)
    src = rng.integers(0, 500, 6000)
    dst = rng.integers(0, 500, 6000) // 5 * 5 + src % 5  # the residue modulo 5 stays
    check(edges(src, dst, n=520, kind="undirected"))


def test_a_small_part_with_smaller_numbers_joins_a_large_one(strategy):
    """Joined late, the large part must take the smaller label too (LAGraph 1.1.4 leaves it)."""
    rng = np.random.default_rng(0)
    clique = [50, 51, 52, 53, 54, 4000]
    pairs = rng.integers(100, 5000, (60000, 2))
    pairs = pairs[(pairs != 4000).all(axis=1)]
    src = [*pairs[:, 0], *np.repeat(clique, 6), 4000]
    dst = [*pairs[:, 1], *np.tile(clique, 6), 3000]
    check(edges(src, dst, n=5000, kind="undirected"))


def test_a_star_whose_centre_has_the_largest_number(strategy):
    check(edges([99] * 99, range(99), n=100, kind="undirected"))


def test_a_grid(strategy):
    check(from_networkx(nx.convert_node_labels_to_integers(nx.grid_2d_graph(40, 60))))


def test_a_small_rest_is_not_made_a_matrix(monkeypatch):
    monkeypatch.setattr(module, "_hook_and_shortcut", None)
    check(large_and_small())


@pytest.mark.parametrize("length", [100, 3000])
def test_a_long_path_beside_a_large_component(length, strategy):
    """All of its labels, which ascend, are lowered in each of as many rounds."""
    rng = np.random.default_rng(length)
    src, dst = rng.integers(0, 5000, (2, 40_000))
    path = np.arange(5000, 5000 + length)
    G = edges(np.append(src, path[:-1]), np.append(dst, path[1:]), n=8000, kind="undirected")
    check(G)
