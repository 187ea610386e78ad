"""What a comparison says, in three sentences computed from its rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import geometric_mean

from graphla.comparison.pairs import UNCLEAR, Row, faster
from graphla.comparison.report.costs import Cost, Grid, disturbed, grid

ENOUGH = 3  # algorithms that two graphs should have in common
CLEARLY = 1.5  # a factor between two typical factors that is worth a sentence


def conclusions(rows: Sequence[Row]) -> list[str]:
    """Return three sentences: the typical factor, how it depends on size and on the algorithm.

    There are fewer if the rows have a single graph or algorithm, none if there is nothing to
    compare the algebra with, and one that says so if most ratios are too noisy. A typical factor
    is a geometric mean.
    """
    cells = grid(rows)
    if cells.family is None:
        return []
    usable = [cost for cost in cells.costs if not cost.ratio.noisy]
    noisy = [cost for cost in cells.costs if cost.ratio.noisy]
    if not usable:
        return [f"Nothing to conclude: {_too_noisy(noisy)}. Measure again when nothing else runs."]
    if len(noisy) > len(usable):
        return [
            f"Little to conclude: {_too_noisy(noisy)}; among the others {cells.rival} is "
            f"{_outcomes(usable)}."
        ]
    sentences = [
        _overall(cells, usable, noisy),
        _by_size(cells),
        _by_algorithm(cells, usable),
    ]
    return [sentence for sentence in sentences if sentence]


def typical(costs: Iterable[Cost]) -> float:
    """Return the geometric mean of the rival's times divided by the algebra's."""
    return geometric_mean(cost.ratio.median for cost in costs)


def _overall(cells: Grid, usable: list[Cost], noisy: list[Cost]) -> str:
    sentence = (
        f"{capital(cells.rival)} is typically {_than_the_algebra(typical(usable))}: "
        f"{_outcomes(usable)}"
    )
    return f"{sentence}; {_too_noisy(noisy)}." if noisy else f"{sentence}."


def _outcomes(usable: list[Cost]) -> str:
    """Return how often the rival is faster, as fast, and slower."""
    outcomes = Counter(cost.ratio.outcome for cost in usable)
    unclear = f", {UNCLEAR} in {outcomes[UNCLEAR]}" if outcomes[UNCLEAR] else ""
    return (
        f"faster in {outcomes['faster']} of {_cases(len(usable))}, as fast in "
        f"{outcomes['as fast']}, "
        f"slower in {outcomes['slower']}{unclear}"
    )


def _too_noisy(noisy: list[Cost]) -> str:
    busy = sum(map(disturbed, noisy))
    text = f"{_cases(len(noisy))} {'is' if len(noisy) == 1 else 'are'} too noisy"
    if not busy:
        return text
    share = "" if busy == len(noisy) else f" in {busy} of them"
    return f"{text}, as the machine was busy{share}"


def _by_size(cells: Grid) -> str | None:
    """Compare two graphs, on one engine, over the algorithms that both have.

    They are those that differ most in size.
    """
    by_graph: dict[str, dict[str, Cost]] = {}
    for (algorithm, graph), cell in cells.cells.items():
        if cell.cost and not cell.cost.ratio.noisy:
            by_graph.setdefault(graph, {})[algorithm] = cell.cost
    entries = {graph: _entries(cells.graphs[graph]) for graph in by_graph}
    engine = {graph: cells.graphs[graph].get("engine") for graph in by_graph}
    pairs = [
        (min(len(common), ENOUGH), entries[larger] / max(entries[smaller], 1), smaller, larger)
        for smaller, larger in combinations(sorted(by_graph, key=entries.__getitem__), 2)
        if (common := by_graph[smaller].keys() & by_graph[larger].keys())
        and entries[smaller] < entries[larger]
        and engine[smaller] == engine[larger]
    ]
    if not pairs:
        return None
    *_, smallest, largest = max(pairs)
    on = by_graph[smallest], by_graph[largest]
    names = on[0].keys() & on[1].keys()
    small, large = (typical(costs[name] for name in names) for costs in on)
    if large > CLEARLY * small:
        meaning = "the algebra costs more on the smaller graph"
    elif small > CLEARLY * large:
        meaning = "the algebra costs more on the larger graph"
    else:
        meaning = "the algebra costs about the same on both"
    same = _count(len(names), "algorithm")
    return (
        f"On {smallest} ({entries[smallest]:,} entries) {cells.rival} is {faster(small)}, on "
        f"{largest} ({entries[largest]:,} entries) {faster(large)} "
        f"({same} on both): {meaning}."
    )


def _by_algorithm(cells: Grid, usable: list[Cost]) -> str | None:
    by_name: dict[str, list[Cost]] = {}
    for cost in usable:
        by_name.setdefault(cost.rival["algorithm"], []).append(cost)
    if len(by_name) < 2:
        return None
    factors = {name: typical(costs) for name, costs in by_name.items()}
    most, least = min(factors, key=factors.__getitem__), max(factors, key=factors.__getitem__)
    return (
        f"The algebra costs most for {most}, where {cells.rival} is {faster(factors[most])}, and "
        f"least for {least}, where it is {faster(factors[least])}."
    )


def _than_the_algebra(ratio: float) -> str:
    words = faster(ratio)
    return f"{words} {'as' if words == 'as fast' else 'than'} the algebra"


def _cases(number: int) -> str:
    return _count(number, "case")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _entries(row: Row) -> int:
    return int(row.get("nvals") or 0)


def capital(text: str) -> str:
    """Return a text with an upper-case first letter; the others stay."""
    return text[0].upper() + text[1:]
