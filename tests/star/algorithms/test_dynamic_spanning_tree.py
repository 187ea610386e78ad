"""The dynamic forest: after every update its weight is that of a forest from scratch."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.errors import InvalidIndex, InvalidValue
from graphla.star.algorithms import SpanningForest
from tests.star.algorithms.edges import check_forest, chosen, listed


@pytest.mark.parametrize("n", [5, pytest.param(14, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.thorough)])
def test_random_updates(engine, n, seed):
    steps = 200 if engine == "cpu" else 30
    rng = np.random.default_rng([n, seed])
    edges, vertices = {}, set(range(1, n + 1))
    S = SpanningForest(listed([], n, engine, capacity=n * (n - 1) // 2))
    done = dict.fromkeys(["insert edge", "delete edge", "insert vertex", "delete vertex"], 0)
    for step in range(steps):
        what, w = rng.random(), lambda: int(rng.integers(0, 12))
        u, v = sorted(rng.choice(np.arange(1, n + 1), 2, replace=False).tolist())
        if what < 0.1 and u in vertices and len(vertices) > n // 2:
            S.delete_vertex(u)
            vertices.remove(u)
            edges = {e: x for e, x in edges.items() if u not in e}
            done["delete vertex"] += 1
        elif absent := sorted(set(range(1, n + 1)) - vertices) if what < 0.25 else []:
            near = {x: w() for x in sorted(vertices) if rng.random() < 0.4}
            S.insert_vertex(absent[0], near)
            vertices.add(absent[0])
            edges |= {(min(x, absent[0]), max(x, absent[0])): y for x, y in near.items()}
            done["insert vertex"] += 1
        elif edges and what < 0.5 + step / steps / 3:
            u, v = sorted(edges)[rng.integers(len(edges))]
            S.delete_edge(v, u)
            del edges[u, v]
            done["delete edge"] += 1
        elif {u, v} <= vertices and (u, v) not in edges:
            edges[u, v] = w()
            S.insert_edge(u, v, edges[u, v])
            done["insert edge"] += 1
        now = [(*e, x) for e, x in edges.items()]
        assert sorted((min(a, b), max(a, b), x) for a, b, x in chosen(S.edges, S.edges.used)) == (
            sorted(now)
        )
        forest = chosen(S.edges, S.forest)
        check_forest(forest, now, vertices)
        assert S.weight == sum(x for *_, x in forest)
    assert steps < 200 or min(done.values()) > 3


def test_updates_that_do_not_apply():
    S = SpanningForest(listed([(1, 2, 3), (2, 3, 4)], 4, "cpu", capacity=3, bits=3))
    S.delete_vertex(4)
    before = S.edges.copy(), S.forest.copy(), S.vertices.copy()
    for call, message in (
        (lambda: S.insert_edge(2, 1, 5), "there is an edge 2-1 already"),
        (lambda: S.insert_edge(1, 1, 5), "1-1 is a loop"),
        (lambda: S.insert_edge(1, 3, 8), r"weight 8 is out of range 0\.\.7"),
        (lambda: S.insert_edge(1, 4, 1), "vertex 4 was deleted"),
        (lambda: S.delete_edge(1, 3), "there is no edge 1-3"),
        (lambda: S.delete_vertex(4), "vertex 4 was deleted"),
        (lambda: S.insert_vertex(1, {}), "vertex 1 exists already"),
        (lambda: S.insert_vertex(4, {4: 1}), "vertex 4 was deleted"),
        (lambda: S.insert_vertex(4, {1: -1}), "weight -1 is out of range"),
        (lambda: S.insert_vertex(4, {1: 1, 2: 1}), "2 edges do not fit in 1 free rows"),
    ):
        with pytest.raises(InvalidValue, match=message):
            call()
    with pytest.raises(InvalidIndex, match=r"vertex 5 is out of range 1\.\.4"):
        S.insert_edge(1, 5, 1)
    assert (S.forest, S.vertices) == before[1:]
    assert chosen(S.edges, S.edges.used) == chosen(before[0], before[0].used)
    with pytest.raises(InvalidValue, match="an edge is a loop"):
        SpanningForest(listed([(1, 1, 3)], 1, "cpu"))
