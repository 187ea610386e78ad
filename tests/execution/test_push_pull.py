"""Push or pull: the rules on known sizes, and traversals that take every step."""

from __future__ import annotations

import pytest
from graphblas import Scalar, Vector, semiring
from graphblas.core.matrix import TransposedMatrix
from graphblas.dtypes import BOOL
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.execution import push_pull
from graphla.execution.push_pull import (
    BatchDirection,
    Costs,
    DirectionOptimizer,
    PushPullState,
    RelaxationDirection,
    nvals_reader,
    unchecked_steps,
)
from tests.graphs import random_graph
from tests.strategies import graphs

START = PushPullState(0, 10_000, 1000, -1, 2, 8.0)


def uncounted():
    raise AssertionError("the edges need not be counted")


def test_push_becomes_pull_when_the_frontier_has_a_good_part_of_the_edges():
    state, push = START.advance(True, 10, lambda: 1000)
    assert (push, state.unexplored_edges, state.previous_size) == (True, 9000, 10)
    state, push = state.advance(True, 100, lambda: 1001)
    assert (push, state.unexplored_edges) == (False, 7999)


def test_nothing_is_counted_for_shrinking_frontiers_or_few_unexplored_edges():
    assert START._replace(previous_size=50).advance(True, 49, uncounted)[1]
    assert START._replace(unexplored_edges=999).advance(True, 500, uncounted)[1]


def test_pull_becomes_push_when_a_shrinking_frontier_is_small():
    pulled = START._replace(previous_size=9)
    assert not pulled.advance(False, 3, uncounted)[1]
    assert pulled.advance(False, 2, uncounted)[1]
    assert not pulled._replace(previous_size=1).advance(False, 2, uncounted)[1]  # it grows


def test_after_a_pull_the_size_decides():
    again = START._replace(push_size_after_pull=100)
    assert again.advance(True, 100, uncounted)[1]
    assert not again.advance(True, 101, uncounted)[1]


@pytest.mark.parametrize(
    ("size", "degree", "limit", "most", "expected"),
    [
        (1, 10, 5, 8, 1),  # at least one
        (1, 10, 10, 8, 1),
        (1, 10, 999, 8, 2),  # 10, 100 edges
        (1, 10, 1000, 8, 3),
        (1, 1, 5, 8, 8),
        (0, 10, 0, 8, 8),  # an empty frontier stays empty
    ],
)
def test_steps_until_a_frontier_may_be_too_large(size, degree, limit, most, expected):
    assert unchecked_steps(size, degree, limit, most) == expected


def traversal(G, source, **options):
    """Run a search by hand; return the levels, the directions, and whether it is complete."""
    visited, frontier = G.vector(int), G.vector(bool)
    visited[source] = 0
    frontier[source] = True
    depth, directions = G.scalar(int), []

    def level(push):
        def run():
            directions.append("push" if push else "pull")
            product = gl_any_pair(frontier, G, push)
            frontier(~visited.S, replace=True) << product
            visited(frontier.S) << depth.value

        return run

    done = DirectionOptimizer(G, frontier).traverse(level(True), level(False), depth, **options)
    return visited, directions, done


def gl_any_pair(frontier, G, push):
    from graphblas import semiring

    if push:
        return frontier.vxm(G.A, semiring.any_pair)
    return G.AT.mxv(frontier, semiring.any_pair)


def test_a_traversal_pushes_and_pulls_and_visits_what_bfs_does():
    G = random_graph(2000, 20_000, kind="undirected", seed=2)
    visited, directions, done = traversal(G, 0)
    assert done
    assert set(directions) == {"push", "pull"}
    assert visited.isequal(gl.bfs_levels(G, 0).dup(dtype=int))


def test_a_traversal_of_some_levels_and_its_sizes(capsys):
    sizes = []
    visited, _, done = traversal(gl.generate.path(9), 0, max_levels=3, on_level=sizes.append)
    assert (done, visited.nvals, sizes) == (False, 4, [1, 1, 1])
    assert traversal(gl.generate.path(4), 0, max_levels=4)[2]
    assert capsys.readouterr().err == ""
    assert traversal(gl.generate.path(4), 0, progress=True)[2]
    assert "bfs" in capsys.readouterr().err


def test_an_engine_may_run_several_levels_in_one_call():
    calls = []

    def push():
        raise AssertionError("run_levels replaces it")

    def run_levels(pushing, state, depth, levels_left, opposite):
        calls.append((pushing, levels_left))
        return (5, 3, state, False) if len(calls) == 1 else (0, 2, state, False)

    G = gl.generate.path(99)
    frontier = G.vector(bool)
    frontier[0] = True
    push.run_levels = run_levels
    optimizer = DirectionOptimizer(G, frontier)
    pull = type("Pull", (), {"run_levels": staticmethod(run_levels)})()
    assert optimizer.traverse(push, pull, None)
    assert calls == [(True, 100), (False, 97)]
    assert not optimizer.push


@pytest.mark.parametrize(("size", "counted"), [(700, True), (800, False)])
def test_the_edges_of_a_long_list_are_estimated(size, counted, monkeypatch):
    """It has more than n / 8 = 750 vertices."""
    G = random_graph(6000, 60_000, kind="undirected", seed=4)
    frontier = G.vector(bool)
    frontier[:size] << True
    direction, counted_sizes = DirectionOptimizer(G, frontier), []

    def count(optimizer, size, is_list):
        counted_sizes.append(size)
        return 9

    monkeypatch.setattr(DirectionOptimizer, "_read_edges", count)
    assert direction.advance(size) == counted
    assert counted_sizes == [size] * counted


def test_relaxations_of_large_frontiers_pull():
    G = gl.generate.star(50)
    frontier = G.vector(int)
    frontier[0] = 0
    direction = RelaxationDirection(G, frontier)
    assert not direction.advance(1)  # the hub has half of all entries
    assert (direction.push_size(), direction.unchecked_steps(1)) == (0, 1)
    frontier.clear()
    frontier[1] = 0
    assert direction.advance(1)
    assert direction.push_size() == 0  # one vertex may have too many edges
    path = gl.generate.path(100)
    frontier = path.vector(int)
    frontier[0] = 0
    assert RelaxationDirection(path, frontier).push_size() == 16


def test_batches_multiply_sparsely_while_few_edges_leave():
    G = random_graph(64, 640, seed=3)
    direction = BatchDirection(G, 4)
    frontiers = G.matrix(bool, nrows=4)
    frontiers[0, 0] << True
    assert direction.is_sparse(frontiers, G.A)
    frontiers[:, :] << True
    assert not direction.is_sparse(frontiers, G.A)
    assert not direction.is_sparse(frontiers, G.AT)


def test_batches_multiply_under_a_mask_where_few_edges_lead_to_unvisited_vertices(monkeypatch):
    star = gl.Graph.from_edges([0] * 9, range(1, 10))  # nine edges, from the centre
    visited = star.matrix(bool, nrows=2)
    visited[:, 0] << True
    direction = BatchDirection(star, 2)
    assert not direction.has_few_unvisited(visited)
    visited[:, 3:] << True
    assert direction.has_few_unvisited(visited)  # 4 of 18 edges
    monkeypatch.setitem(push_pull.COSTS, "cpu", push_pull.COSTS["cpu"]._replace(masked_share=0.0))
    assert not BatchDirection(star, 2).has_few_unvisited(visited)


def test_preferences_of_an_engine(monkeypatch):
    monkeypatch.setattr(push_pull, "SHORT_ROW", 3)
    G = gl.generate.grid(3, 3, weights=(1, 9, "int32"))
    monkeypatch.setattr(push_pull, "COSTS", dict(push_pull.COSTS))
    L = G.A.select("tril").new()
    wide = gl.Graph([[0, 1.5], [0, 0]]).dtype
    assert push_pull.boolean_matrix_storage(G) == ("bitmap", 81, True)
    assert push_pull.choose_triangle_factor(G, L) is L
    assert push_pull.cast_for_products(G, wide).dtype == wide
    assert push_pull.scale_bucket_width(G, 3.0) == 3.0
    push_pull.register_costs(
        "cpu",
        Costs(
            8, 8, 8, dot_products=True, boolean_form="bits", positions_per_byte=8,
            row_alignment=128, casts_are_free=True, prefers_few_steps=True, small_result=100,
        ),
    )  # fmt: skip
    assert push_pull.boolean_matrix_storage(G) == ("bits", 9 * 128 // 8, False)
    assert push_pull.choose_triangle_factor(G, L).new().isequal(L.T.new())
    assert push_pull.cast_for_products(G, wide) is G
    narrow = gl.Graph([[0, 1], [0, 0]]).astype("INT8").dtype
    assert push_pull.cast_for_products(G.astype("BOOL"), narrow).dtype == "BOOL"
    assert push_pull.scale_bucket_width(G, 3.0) == 9.0


@pytest.mark.parametrize(("leaves", "dot_products"), [(8, True), (9, False)])
def test_short_rows_are_multiplied_by_dot_products(leaves, dot_products):
    G = gl.generate.star(leaves + 1)
    L = G.A.select("tril").new()
    factor = push_pull.choose_triangle_factor(G, L)
    assert isinstance(factor, TransposedMatrix) == dot_products


def test_number_of_entries():
    v = Vector(int, 3)
    read = nvals_reader(v)
    assert read() == 0
    v[1] = 5
    assert read() == 1
    assert nvals_reader(gl.generate.karate().A)() == 156


@pytest.mark.parametrize("scale", [1.0, 1e9])
@given(graphs(), st.integers(1, 9))
def test_small_frontiers_are_pushed_as_others(scale, G, max_levels):
    """The loop for small frontiers runs the same levels and makes the same decisions."""

    def searched(pushes_small):
        q, visited, depth = G.vector(BOOL), G.vector(BOOL), G.scalar("INT32")
        q[0] = visited[0] = True
        direction, levels = DirectionOptimizer(G, q), []
        direction.max_degree = direction.max_degree / scale
        if not pushes_small:
            direction._push_small_frontiers = lambda push, depth, size, left: (size, 0)
        found = q(~visited.S, replace=True)

        def level(product):
            def run():
                levels.append((product.method_name, depth.value))
                found << product
                visited(q.S) << True

            return run

        any_pair = semiring.any_pair[bool]
        steps = level(q.vxm(G.A, any_pair)), level(G.AT.mxv(q, any_pair))
        ended = direction.traverse(*steps, depth, max_levels)
        return ended, levels, direction.state, direction.push, depth.value

    assert searched(True) == searched(False)


@pytest.mark.parametrize("is_cscalar", [True, False])
def test_a_depth_of_either_kind_grows(is_cscalar):
    depth = Scalar.from_value(7, "INT32", is_cscalar=is_cscalar)
    increment = push_pull._incrementer(depth)
    increment()
    increment()
    assert depth.value == 9
    push_pull._incrementer(None)()
