"""The sentences of a comparison."""

from __future__ import annotations

import pytest

from graphla.comparison.report.conclusions import conclusions
from graphla.comparison.result import Comparison
from tests.comparison.rows import row


def pair(factor, **fields):
    """Return rows of both implementations; by hand is `factor` times faster."""
    by_hand = [seconds / factor for seconds in row()["trials_s"]]
    return [row(**fields), row("native", "native", by_hand, **fields)]


def sentences(*pairs):
    return conclusions(Comparison([r for each in pairs for r in each]).rows)


def test_the_typical_factor_is_a_geometric_mean_of_all_cases():
    (text,) = sentences(*(pair(f, graph=f"g{f}") for f in (16, 1, 0.25)))
    assert text == (
        "By hand is typically 1.6 times faster than the algebra: faster in 1 of 3 cases, "
        "as fast in 1, slower in 1."
    )
    (text,) = sentences(pair(0.5))
    assert "2.0 times slower than the algebra: faster in 0 of 1 case," in text
    assert "is typically as fast as the algebra" in sentences(pair(1))[0]


@pytest.mark.parametrize(
    ("small", "large", "meaning"),
    [
        (8, 2, "the algebra costs more on the smaller graph"),
        (2, 8, "the algebra costs more on the larger graph"),
        (4, 3, "the algebra costs about the same on both"),
    ],
)
def test_the_dependence_on_size_agrees_with_the_figures(small, large, meaning):
    _, text = sentences(pair(small, graph="karate", nvals=156), pair(large, nvals=10**6))
    assert text == (
        f"On karate (156 entries) by hand is {small}.0 times faster, on kron:6 (1,000,000 entries) "
        f"{large}.0 times faster (1 algorithm on both): {meaning}."
    )


def test_sizes_are_compared_over_the_algorithms_of_both():
    common = [pair(2, graph=g, nvals=n) for g, n in (("small", 10), ("large", 1000))]
    text = sentences(*common, pair(30, graph="small", nvals=10, algorithm="sssp"))[1]
    assert "On small (10 entries) by hand is 2.0 times faster" in text
    alone = [pair(2, graph="a", nvals=10), pair(2, graph="b", nvals=20, algorithm="sssp")]
    assert not [text for text in sentences(*alone) if text.startswith("On ")]


def test_sizes_are_compared_on_one_engine():
    cpu = [pair(2, graph=g, nvals=n) for g, n in (("small", 10), ("large", 1000))]
    cuda = [pair(30, engine="cuda", graph=g, nvals=n) for g, n in (("small", 10), ("large", 1000))]
    more = pair(9, engine="cuda", graph="larger", nvals=10**5)
    text = sentences(*cpu, *cuda)[1]
    assert "On small (cuda) (10 entries) by hand is 30 times faster, on large (cuda)" in text
    text = sentences(*cpu, *cuda, more)[1]
    assert "On small (cuda) (10 entries)" in text
    assert "on larger (cuda) (100,000 entries) 9.0 times faster" in text
    assert len(sentences(pair(2, nvals=10), pair(3, nvals=20, graph="g", engine="cuda"))) == 1


def test_algorithms_with_the_largest_and_the_smallest_factor():
    text = sentences(pair(3), pair(0.5, algorithm="pagerank"), pair(1.5, algorithm="sssp"))[-1]
    assert text == (
        "The algebra costs most for bfs, where by hand is 3.0 times faster, and least for "
        "pagerank, where it is 2.0 times slower."
    )


def test_noisy_cases_are_counted_and_not_used():
    noisy = [row(graph="n"), row("native", "native", (0.001, 0.2, 0.003), graph="n")]
    (text,) = sentences(pair(2), noisy)
    assert "2.0 times faster" in text
    assert text.endswith("slower in 0; 1 case is too noisy.")


def test_little_is_concluded_if_most_cases_are_noisy():
    noisy = [
        one
        for graph in ("n", "m")
        for one in (row(graph=graph), row("native", "native", (0.001, 0.2, 0.003), graph=graph))
    ]
    assert sentences(pair(2), noisy) == [
        "Little to conclude: 2 cases are too noisy; among the others by hand is faster in 1 of 1 "
        "case, as fast in 0, slower in 0."
    ]


def test_nothing_is_concluded_from_a_busy_machine():
    busy = {"foreign_cpu_share": 0.9}
    assert sentences(pair(4, **busy), pair(8, graph="g", **busy)) == [
        "Nothing to conclude: 2 cases are too noisy, as the machine was busy. Measure again when "
        "nothing else runs."
    ]
    spread = [row(graph="n"), row("native", "native", (0.001, 0.2, 0.003), graph="n")]
    (text,) = sentences(pair(4, **busy), spread)
    assert "2 cases are too noisy, as the machine was busy in 1 of them." in text


def test_cases_without_a_clear_difference_are_counted():
    unclear = [row(graph="u"), row("native", "native", (0.0016, 0.0032, 0.0039), graph="u")]
    (text,) = sentences(pair(2), unclear)
    assert text.endswith("as fast in 0, slower in 0, no clear difference in 1.")


def test_no_sentence_without_a_rival():
    assert sentences([row()]) == []
