"""Ratios of paired trials, and when they are too noisy."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.comparison.pairs import timing
from graphla.comparison.result import Comparison
from graphla.errors import InvalidValue
from tests.comparison.rows import row


def test_ratios_are_medians_of_pairs_and_not_ratios_of_medians(comparison):
    ratio = comparison.ratios()["kron:6", "bfs", "native"]
    pairs = np.array([0.001, 0.0015, 0.0015]) / np.array([0.002, 0.004, 0.003])
    assert ratio[:3] == pytest.approx(np.percentile(pairs, [50, 25, 75]))
    assert (ratio.pairs, ratio.to, ratio.alike) == (3, "graphla", True)


def test_ratios_over_the_shorter_length_and_of_unlike_results(comparison):
    ratio = comparison.ratios()["kron:6", "bfs", "levels only"]
    assert ratio.pairs == 2
    assert ratio.median == pytest.approx((3 + 1.5) / 2)
    assert not ratio.alike


def test_no_ratio_without_trials(comparison):
    ratios = comparison.ratios()
    assert {name for _, _, name in ratios} == {"graphla", "native", "levels only", "beyond"}


def test_ratios_to_an_implementation_or_the_fastest_of_a_family(comparison):
    assert comparison.ratios("native")["kron:6", "bfs", "native"].median == 1
    assert comparison.ratios("graphla") == comparison.ratios()
    assert comparison.ratios("peer")["kron:6", "bfs", "native"].to == "beyond"
    assert ("kron:6", "pagerank", "native") not in comparison.ratios("peer")
    assert comparison.ratios("wrong") == {}


def test_ratios_to_an_unknown_implementation(comparison):
    with pytest.raises(InvalidValue, match=r"'lagraph' is not one of .*graphla"):
        comparison.ratios("lagraph")


def test_trials_of_two_comparisons_are_not_paired():
    alone = Comparison([row()]) + Comparison([row("native", "native")])
    assert set(alone.ratios()) == {("kron:6", "bfs", "graphla")}


def test_graphs_with_other_weights_are_not_paired():
    rows = [row(), row("native", "native", fingerprint="other")]
    assert set(Comparison(rows).ratios()) == {("kron:6", "bfs", "graphla")}


def test_ratios_with_wide_quartiles_are_too_noisy():
    trials = (1.0, 2.0, 3.0, 4.0)
    for other, noisy in (
        ((1.0, 2.0, 3.0, 4.0), False),
        ((1.0, 2.0, 2.0, 2.0), True),  # quartiles 1 and 1.625
        ((1.0, 1.0, 3.0, 3.0), False),  # 1 and 1.5: a factor of 1.5 is allowed
        ((1.0, 1.0, 3.0, 0.1), True),
    ):
        rows = [row(trials=trials), row("native", "native", other)]
        for to, name in (("graphla", "native"), ("native", "graphla")):
            ratio = Comparison(rows).ratios(to)["kron:6", "bfs", name]
            assert ratio.noisy == noisy, (to, other)
            assert (ratio.conclusion() == "too noisy to conclude") == noisy


def test_ratios_of_a_busy_machine_are_too_noisy():
    for share, noisy in ((None, False), (0.25, False), (0.26, True)):
        rows = [row(foreign_cpu_share=share), row("native", "native", foreign_cpu_share=share)]
        ratio = Comparison(rows).ratios()["kron:6", "bfs", "native"]
        assert ratio.noisy == noisy
        assert (ratio.median, ratio.foreign_cpu_share) == (1, share)
        assert ("too noisy to conclude: native" in repr(Comparison(rows))) == noisy


def test_ratios_in_words_have_one_direction():
    trials = (1.0, 1.0, 1.0)
    for other, words in (
        ((0.5, 0.5, 0.4), "2.0 times faster (2.0 to 2.2)"),
        ((2.0, 2.0, 2.5), "2.0 times slower (2.0 to 2.2)"),
        ((20.0, 20.0, 20.0), "20 times slower (20 to 20)"),
        ((0.9, 1.02, 1.2), "as fast, within 11%"),
        ((0.9, 1.1, 1.2), "no clear difference"),
        ((0.66, 0.7, 1.32), "no clear difference"),
        ((1.0, 0.2, 9.0), "too noisy to conclude"),
    ):
        rows = [row(trials=trials), row("native", "native", other)]
        assert Comparison(rows).ratios()["kron:6", "bfs", "native"].in_words() == words


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "steady"),
        ({"foreign_cpu_share": 0.3}, "busy machine"),
        ({"foreign_cpu_share": None, "quiet": False}, "busy machine"),
        ({"foreign_cpu_share": 0.1, "quiet": False}, "steady"),
        ({"trials_s": [1.0, 1.0, 5.0, 5.0]}, "wide spread"),
        ({"trials_s": []}, ""),
    ],
)
def test_how_far_times_can_be_trusted(fields, expected):
    assert timing(row(trials=(2.0, 2.0, 2.1)) | fields) == expected
