"""The same statements and algorithms on blocks of the CUDA engine, as on python-graphblas's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from tests.algorithm_calls import algorithms, tiny
from tests.ranks.test_every_algorithm import MANY_STATEMENTS, check
from tests.ranks.test_every_update import OPERATIONS, check_update
from tests.strategies import examples

QUICK_OPERATIONS = ("apply right", "select row", "mxv", "vxm", "mxm pair", "extract", "reduce rows")
QUICK_ALGORITHMS = ("bfs", "pagerank", "sssp_distances", "connected_components", "triangle_count")


@pytest.mark.parametrize("name", QUICK_OPERATIONS)
@examples(2)
@given(data=st.data())
def test_update(name, data):
    check_update(name, data, "cuda")


@pytest.mark.thorough
@pytest.mark.parametrize("name", OPERATIONS)
@examples(20)
@given(data=st.data())
def test_many_updates(name, data):
    check_update(name, data, "cuda")


@pytest.mark.parametrize("name", QUICK_ALGORITHMS)
def test_two_ranks(name):
    check(name, tiny("undirected"), 2, "cuda")


def test_rows_of_much_work_are_shared():
    """The rows of the product stay where they were computed: two exchanges, for its operands."""
    G = gl.generate.kronecker(8, seed=1)

    def run(member):
        H = member.distribute(G)
        with gl.trace() as steps:
            found = gl.triangle_count(H)
        return found, [s.kernel for s in steps if s.operation == "alltoall"]

    moved = ["extract"] * 2 + ["recut"] * 2  # of each the lengths of the rows, and their entries
    expected = gl.triangle_count(G), moved
    assert gl.ranks.in_process(3, run, engine="cuda", check_calls=True) == [expected] * 3


def test_a_symmetric_matrix_is_stored_twice():
    """The block of columns is that of rows, transposed; each is the other's cached transpose."""
    G = gl.generate.kronecker(8, seed=1)

    def run(member):
        A = member.distribute(G).A
        rows, columns = A.local(0)._store, A.local(1)._store
        return rows.transposed() is columns and columns.transposed() is rows

    assert gl.ranks.in_process(2, run, engine="cuda") == [True] * 2


def test_components_of_short_paths():
    """Partial results of a push go to their owners as lists in any order, and are added there."""
    hub, far = np.arange(1, 600), np.random.default_rng(1).permutation(np.arange(600, 9000))
    paths = far[:60].reshape(12, 5)  # of vertices that different ranks own
    sources = np.concatenate([hub * 0, paths[:, :-1].ravel()])
    targets = np.concatenate([hub, paths[:, 1:].ravel()])
    G = gl.Graph.from_edges(sources, targets, n=9000, kind="undirected")
    check("connected_components", G, 3, "cuda")


@pytest.mark.thorough
@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("name", sorted(set(algorithms()) - MANY_STATEMENTS))
def test_every_algorithm(name, kind, ranks):
    check(name, tiny(kind), ranks, "cuda")
