"""The cells of algorithms x graphs: rivals, and why a cell has no factor."""

from __future__ import annotations

import pytest

from graphla.comparison.report.costs import costs_of_family, grid
from graphla.comparison.result import Comparison
from tests.comparison.rows import row

FAST, SLOW = (0.001, 0.001, 0.001), (0.004, 0.004, 0.004)


def cells(*rows):
    """Return the texts and factors of all cells."""
    made = grid(Comparison(rows).rows).cells
    return {key: cell.text or pytest.approx(cell.cost.factor) for key, cell in made.items()}


def test_a_factor_is_the_time_of_the_algebra_over_that_of_its_rival():
    assert cells(row(trials=SLOW), row("native", "native", FAST)) == {("bfs", "kron:6"): 4}


def test_each_engine_is_compared_with_itself():
    made = cells(
        row(trials=SLOW), row("native", "native", FAST),
        row("graphla-cuda", trials=FAST, engine="cuda"),
        row("native-cuda", "native", SLOW, engine="cuda"),
    )  # fmt: skip
    assert made == {("bfs", "kron:6 (cpu)"): 4, ("bfs", "kron:6 (cuda)"): 0.25}


def test_the_rival_is_by_hand_else_the_fastest_library():
    algebra, scipy, igraph = row(trials=SLOW), row("scipy", "peer", FAST), row("igraph", "peer")
    assert grid(Comparison([algebra, scipy, row("native", "native")]).rows).rival == "by hand"
    made = grid(Comparison([algebra, igraph, scipy]).rows)
    assert made.rival == "the fastest library"
    assert [cost.rival["implementation"] for cost in made.costs] == ["scipy"]


def test_cells_without_a_factor_say_why():
    made = cells(
        row(), row("native", "native", (0.001, 0.2, 0.003)),
        row(algorithm="sssp"),
        row(algorithm="pagerank"),
        row("native", "native", (), algorithm="pagerank", verified=False, error="wrong"),
        row(algorithm="triangle_count", trials=(), verified=None, skipped="directed"),
    )  # fmt: skip
    texts = {algorithm: text for (algorithm, _), text in made.items()}
    assert texts == {
        "bfs": "too noisy",
        "sssp": "algebra only",
        "pagerank": "FAILED",
        "triangle_count": "not run",
    }


def test_other_comparisons_and_graphs_are_not_paired():
    rows = (Comparison([row()]) + Comparison([row("native", "native")])).rows
    assert costs_of_family(rows, "native") == []
    assert grid(rows).family is None
    other = Comparison([row(), row("native", "native", fingerprint="other")])
    assert costs_of_family(other.rows, "native") == []


def test_names_keep_their_order():
    rows = [
        row(graph=graph, algorithm=algorithm, nvals=k)
        for k, (graph, algorithm) in enumerate([("z", "sssp"), ("z", "bfs"), ("a", "bfs")])
    ]
    made = grid(rows)
    assert made.algorithms == ["sssp", "bfs"]
    assert [(name, r["nvals"]) for name, r in made.graphs.items()] == [("z", 0), ("a", 2)]
