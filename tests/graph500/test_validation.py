"""Correct trees pass; each check finds its kind of error."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidIndex,
    InvalidValue,
    VerificationError,
)
from graphla.graph500 import EdgeList, edges, kronecker, validate_bfs, validate_sssp

# a square 0-1-2-3 with the tail 3-4, a separate edge 5-6, an isolated vertex 7;
# an edge twice (once lighter), and a self-loop
SRC, DST = [0, 1, 2, 3, 3, 5, 1, 2], [1, 2, 3, 0, 4, 6, 0, 2]
WEIGHT = [0.5, 0.25, 0.125, 0.5, 0.5, 0.75, 0.625, 0.0]
LEVEL, PARENT = [0, 1, 2, 1, 2, -1, -1, -1], [0, 0, 1, 0, 3, -1, -1, -1]
INF = float("inf")
DISTANCE = [0, 0.5, 0.625, 0.5, 1.0, INF, INF, INF]
NEAREST = [0, 0, 3, 0, 3, -1, -1, -1]


@pytest.fixture(params=[1, 3, 1 << 20], autouse=True, ids="block{}".format)
def block(request, monkeypatch):
    monkeypatch.setitem(edges.BLOCK, "cpu", request.param)


@pytest.fixture
def square():
    columns = (np.array(x, np.int32) for x in (SRC, DST))
    return EdgeList(*columns, np.array(WEIGHT, np.float32), n=8)


def changed(values, changes, dtype=np.int32):
    array = np.array(values, dtype)
    for at, value in changes.items():
        array[at] = value
    return array


def test_right_trees(square):
    parent, level = changed(PARENT, {}), changed(LEVEL, {})
    validate_bfs(square, 0, parent, level)
    validate_bfs(square, 0, parent)
    validate_bfs(square, 0, changed(PARENT, {2: 3}), level)
    validate_bfs(square, 7, changed([-1] * 8, {7: 7}))
    validate_sssp(square, 0, changed(NEAREST, {}), changed(DISTANCE, {}, float))


@pytest.mark.parametrize(
    ("check", "parent", "level"),
    [
        (1, {2: 4, 4: 2}, {}),  # a cycle
        (1, {0: 1}, {}),  # the root has another parent
        (1, {0: -1}, {}),
        (1, {4: 5}, {}),  # a parent outside the tree
        (1, {4: 8}, {}),
        (1, {4: -2}, {}),
        (2, {}, {4: 3}),  # a level that is not the parent's plus one
        (2, {}, {0: 1}),
        (2, {}, {5: 4}),  # a level without a parent
        (2, {}, {4: -1}),
        (3, {1: 2, 2: 3}, {1: 3}),  # a tree, but not a breadth-first one
        (4, {4: -1}, {4: -1}),  # a vertex of the component is left out
        (5, {4: 1}, {}),  # a tree edge that the graph lacks
    ],
)
def test_each_check_of_a_breadth_first_tree(square, check, parent, level):
    with pytest.raises(VerificationError, match=f"^check {check}:"):
        validate_bfs(square, 0, changed(PARENT, parent), changed(LEVEL, level))


def test_levels_default_to_tree_depths(square):
    with pytest.raises(VerificationError, match=r"^check 3: edge 0 -- 1 joins levels 0 and 3"):
        validate_bfs(square, 0, changed(PARENT, {1: 2, 2: 3}))


@pytest.mark.parametrize(
    ("check", "parent", "distance"),
    [
        (1, {2: 4, 4: 2}, {}),
        (1, {4: 6}, {}),
        (2, {}, {4: 0.9}),  # distance too small: no edge matches it
        (2, {2: 1}, {}),  # an edge, but no shortest path
        (2, {}, {0: 0.25}),
        (2, {}, {4: INF}),  # a parent, but no distance
        (2, {}, {6: 3.0}),
        (3, {}, {4: 1.125}),  # distance too large: an edge shortens it
        (4, {4: -1}, {4: INF}),
        (5, {4: 1}, {}),
    ],
)
def test_each_check_of_shortest_paths(square, check, parent, distance):
    with pytest.raises(VerificationError, match=f"^check {check}:"):
        validate_sssp(square, 0, changed(NEAREST, parent), changed(DISTANCE, distance, float))


def test_tolerance_is_rounding_only(square):
    nearest = changed(NEAREST, {})
    validate_sssp(square, 0, nearest, changed(DISTANCE, {4: 1.0 + 5e-7}, float))
    with pytest.raises(VerificationError, match="check 3"):
        validate_sssp(square, 0, nearest, changed(DISTANCE, {4: 1.0 + 5e-6}, float))


def test_refusals(square):
    nearest, distance = changed(NEAREST, {}), changed(DISTANCE, {}, float)
    with pytest.raises(DimensionMismatch, match=r"shape \(7,\); the list has 8 vertices"):
        validate_bfs(square, 0, changed(PARENT, {}), changed(LEVEL, {})[:7])
    with pytest.raises(DimensionMismatch, match=r"shape \(7,\)"):
        validate_sssp(square, 0, nearest[:7], distance)
    plain = EdgeList(square.src, square.dst, None, n=8)
    with pytest.raises(InvalidValue, match="the 8 edges have no weights"):
        validate_sssp(plain, 0, nearest, distance)


@pytest.mark.parametrize("root", [-1, 8])
def test_a_search_key_must_be_a_vertex(square, root):
    nothing = changed([-1] * 8, {})
    with pytest.raises(InvalidIndex, match=f"root={root} "):
        validate_bfs(square, root, nothing)
    with pytest.raises(InvalidIndex, match=f"root={root} "):
        validate_sssp(square, root, nothing, changed([INF] * 8, {}, float))


def test_parents_must_be_integers(square):
    with pytest.raises(DomainMismatch, match="float64"):
        validate_bfs(square, 0, changed(PARENT, {}, float))


def test_levels_are_compared_without_casts(square):
    parent = changed(PARENT, {})
    with pytest.raises(VerificationError, match=r"^check 2: vertex 4 is on level 2\.5"):
        validate_bfs(square, 0, parent, changed(LEVEL, {4: 2.5}, float))
    with pytest.raises(VerificationError, match=r"^check 2: vertex 4 is on level 4294967298"):
        validate_bfs(square, 0, parent, changed(LEVEL, {4: 2 + 2**32}, np.int64))


def test_nan_is_not_an_infinite_distance(square):
    with pytest.raises(VerificationError, match=r"^check 2: vertex 7 "):
        validate_sssp(square, 0, changed(NEAREST, {}), changed(DISTANCE, {7: np.nan}, float))


def test_a_long_path():
    n = 1000
    path = EdgeList(np.arange(n - 1), np.arange(1, n), None, n)
    parent = np.maximum(np.arange(n) - 1, 0)
    validate_bfs(path, 0, parent)
    parent[500] = 999  # a cycle of 500 vertices
    with pytest.raises(VerificationError, match=r"^check 1: parents do not lead from vertex 500 "):
        validate_bfs(path, 0, parent)


@pytest.mark.thorough
@given(st.integers(0, 50), st.data())
def test_a_changed_parent_is_judged_as_by_verify(seed, data):
    """For a tree with one changed parent the checks agree with `gl.verify`."""
    some = kronecker(5, edgefactor=2, seed=seed)
    G, root = some.graph(), some.search_keys(1, seed)[0]
    level, parent = gl.bfs(G, root)
    tree = parent.to_dense(fill_value=-1)
    validate_bfs(some, root, tree, level.to_dense(fill_value=-1))
    v = data.draw(st.sampled_from(np.flatnonzero(tree >= 0).tolist()))
    tree[v] = parent[v] = data.draw(st.integers(0, some.n - 1))
    answers = []
    for check in (
        lambda: validate_bfs(some, root, tree, level.to_dense(fill_value=-1)),
        lambda: gl.verify.bfs(G, root, level, parent),
    ):
        try:
            check()
            answers.append(True)
        except VerificationError:
            answers.append(False)
    assert answers[0] == answers[1]


def test_bad_types_are_refused(square):
    for root in (-1, 8):
        with pytest.raises(InvalidIndex, match="root"):
            validate_bfs(square, root, changed(PARENT, {}))
    with pytest.raises(DomainMismatch, match="parents must be integers"):
        validate_bfs(square, 0, changed(PARENT, {}, float))
    with pytest.raises(DimensionMismatch, match="list"):
        validate_bfs(square, 0, PARENT)
