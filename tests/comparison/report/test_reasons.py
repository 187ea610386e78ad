"""Every algorithm with a native kernel has a reason, given where the figures agree with it."""

from __future__ import annotations

import graphla as gl
from graphla.comparison.algorithms import ALGORITHMS
from graphla.comparison.report.costs import costs_of_family
from graphla.comparison.report.reasons import FIXED_COST, REASONS, TINY, reason
from graphla.comparison.result import Comparison
from tests.comparison.rows import row


def test_every_algorithm_with_native_code_has_a_reason():
    assert {name for name in ALGORITHMS if hasattr(gl.native, name)} <= set(REASONS)


def given(trials, nvals=10 * TINY, **fields):
    rows = [row(trials=(0.004,) * 3, nvals=nvals), row("native", "native", trials, nvals=nvals)]
    rows[1] |= fields
    (cost,) = costs_of_family(Comparison(rows).rows, rows[1]["family"])
    return reason(cost)


def test_a_reason_is_given_only_where_by_hand_is_faster():
    assert given((0.001,) * 3) == REASONS["bfs"]
    assert given((0.004,) * 3) == ""
    assert given((0.016,) * 3) == ""
    assert given((0.001, 0.0001, 0.002)) == ""
    assert given((0.001,) * 3, family="peer") == ""


def test_a_tiny_graph_has_its_own_reason():
    assert given((0.001,) * 3, nvals=TINY) == FIXED_COST
    assert given((0.016,) * 3, nvals=TINY) == ""
