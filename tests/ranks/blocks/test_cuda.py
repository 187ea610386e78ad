"""The same statements and algorithms on blocks of the CUDA engine, as on python-graphblas's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@pytest.mark.thorough
@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("name", sorted(set(algorithms()) - MANY_STATEMENTS))
def test_every_algorithm(name, kind, ranks):
    check(name, tiny(kind), ranks, "cuda")
