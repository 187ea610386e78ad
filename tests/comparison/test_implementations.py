"""The implementations that can be compared: what is found, added, replaced and refused."""

from __future__ import annotations

import pytest

import graphla as gl
from graphla.comparison import implementations as known
from graphla.comparison.algorithms import ALGORITHMS
from graphla.comparison.implementations import Implementation, register, unregister
from graphla.errors import InvalidValue


@pytest.fixture
def mine():
    added = register(Implementation("mine", "triangle_count", "count", lambda S, start: 1))
    yield added
    unregister(added)


def names(*where):
    return [i.name for i in known.implementations(*where)]


def test_graphlas_own_are_first_and_found_by_name():
    assert names("bfs", "cpu")[:2] == ["graphla", "native"]
    assert names("bellman_ford", "cpu")[0] == "graphla"
    assert "native" not in names("bellman_ford")
    own = {i.algorithm for i in known.all_implementations() if i.name == "native"}
    assert own == {name for name in ALGORITHMS if hasattr(gl.native, name)}


def test_each_is_there_once_and_of_a_known_family():
    every = known.all_implementations()
    assert len({(i.algorithm, i.name) for i in every}) == len(every)
    assert {i.family for i in every} <= set(known.FAMILIES)
    assert {i.algorithm for i in every} == set(ALGORITHMS)


def test_a_registered_one_is_added_replaced_and_removed(mine):
    assert names("triangle_count").count("mine") == 1
    other = register(mine._replace(run=lambda S, start: 2))
    (found,) = (i for i in known.implementations("triangle_count") if i.name == "mine")
    assert found.run(None, None) == 2
    unregister(other)
    assert "mine" not in names("triangle_count")
    unregister(other)  # again: nothing happens


def test_those_without_their_library_are_left_out(mine):
    register(mine._replace(library="no_such_library"))
    assert "mine" not in names("triangle_count")
    assert "mine" in [i.name for i in known.all_implementations()]


def test_unknown_algorithms_and_families_are_refused(mine):
    for field in ("algorithm", "family"):
        with pytest.raises(InvalidValue, match=f"{field}='sorting'"):
            register(mine._replace(**{field: "sorting"}))


def test_preparation_caches_what_calls_need():
    G = gl.generate.grid(5, 5)
    (native,) = (i for i in known.implementations("bfs", "cpu") if i.name == "native")
    H = native.prepare(G)
    assert H is not G
    assert {"out_degree", "AT", "csr"} <= set(H.cached)
    result = native.run(H, 0)
    gl.verify.bfs(G, 0, result.level, result.parent)


@pytest.mark.thorough
@pytest.mark.usefixtures("no_garbage_collection")
def test_both_forms_of_each_algorithm_are_verified():
    G = gl.generate.karate()
    twins = [name for name in ALGORITHMS if hasattr(gl.native, name)]
    rows = gl.compare(twins, G, trials=1, implementations=["graphla", "native"]).rows
    assert [(r["algorithm"], r["implementation"]) for r in rows] == [
        (name, form) for name in twins for form in ("graphla", "native")
    ]
    assert [(r["algorithm"], r["error"]) for r in rows if not r["verified"]] == []
