"""Every algorithm on distributed graphs: levels, labels and counts as on engine "cpu"."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.core.engines import host_array
from graphla.errors import GraphlaError
from tests.algorithm_calls import algorithms, prepared, tiny
from tests.graphs import edge_cases, random_graph

TREES = {"parent"}  # any of several right trees
MANY_STATEMENTS = {"louvain", "louvain_levels"}


def outcome(function, G):
    """Return the result as arrays and numbers, or the error."""
    try:
        return plain(prepared(function, G)())
    except GraphlaError as error:
        return error


def plain(x, name=""):
    if hasattr(x, "_fields"):
        return [plain(getattr(x, field), field) for field in x._fields]
    if isinstance(x, (list, tuple)):
        return [plain(y) for y in x]
    if not hasattr(x, "to_coo"):
        return np.asarray(x) if isinstance(x, np.ndarray) else x
    *places, values = (np.asarray(host_array(a)) for a in x.to_coo())
    return [x.dtype.name, x.shape, *places, *([] if name in TREES else [values])]


def assert_equal(ours, theirs):
    """Check that integers are equal and floats nearly so."""
    if isinstance(theirs, list):
        assert len(ours) == len(theirs)
        for x, y in zip(ours, theirs, strict=True):
            assert_equal(x, y)
    elif isinstance(theirs, GraphlaError):
        assert type(ours) is type(theirs)
    elif isinstance(theirs, float) or getattr(theirs, "dtype", np.dtype(int)).kind == "f":
        rtol = 1e-4 if getattr(theirs, "itemsize", 8) == 4 else 1e-9
        np.testing.assert_allclose(ours, theirs, rtol=rtol, atol=1e-12)
    else:
        np.testing.assert_array_equal(ours, theirs)


def check(name, G, ranks, engine="cpu"):
    function = algorithms()[name]
    expected = outcome(function, G)

    def run(member):
        return outcome(function, member.distribute(G))

    for found in gl.ranks.in_process(ranks, run, engine=engine, check_calls=True):
        assert_equal(found, expected)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("name", algorithms())
def test_three_ranks(name, kind):
    check(name, tiny(kind), 3)


@pytest.mark.thorough
@pytest.mark.parametrize("ranks", [1, 2, 4])
@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("name", algorithms())
def test_numbers_of_ranks(name, kind, ranks):
    check(name, tiny(kind), ranks)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("name", sorted(set(algorithms()) - MANY_STATEMENTS))
def test_random_graph(name, kind):
    check(name, random_graph(60, 150, kind=kind, dtype="float64", seed=3), 3)


@pytest.mark.thorough
@pytest.mark.parametrize("graph", edge_cases())
@pytest.mark.parametrize("name", sorted(set(algorithms()) - MANY_STATEMENTS))
def test_edge_cases(name, graph):
    check(name, edge_cases("undirected")[graph], 3)


@pytest.mark.parametrize("ranks", [2, 5])
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_more_levels_than_one_direction(kind, ranks):
    """Searches push and pull on a graph with hubs, and trees are verified."""
    G = gl.generate.kronecker(9, seed=1, weights=(1, 255))
    if kind == "directed":
        G = random_graph(500, 4000, dtype="int64")

    def run(member):
        H = member.distribute(G)
        search, paths = gl.bfs(H, 0), gl.sssp(H, 0)
        return [x.gathered() for x in (*search, *paths)]

    for level, parent, distance, tree in gl.ranks.in_process(ranks, run):
        gl.verify.bfs(G, 0, level, parent)
        gl.verify.sssp(G, 0, distance, tree)


def test_ranks_of_edges():
    """Graph.ranks numbers the edges alike."""
    G = tiny("undirected")
    for found in gl.ranks.in_process(3, lambda member: member.distribute(G).ranks.to_coo()):
        assert_equal(list(found), list(G.ranks.to_coo()))
