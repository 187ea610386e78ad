"""What the algebra costs: each algorithm on each graph by hand, against the algebraic form.

The rival is the hand-written implementation. Where a comparison has none it is the fastest library,
or the STAR-machine. Both run on the same engine, in the same comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from graphla.comparison.pairs import Ratio, Row, ratio_of, timing
from graphla.comparison.report.table import has_failed

RIVALS = {  # family -> its name in a sentence
    "native": "by hand",
    "peer": "the fastest library",
    "associative": "the STAR-machine",
}


class Cost(NamedTuple):
    """A rival's row, the algebraic row, and the time of the rival divided by the algebra's."""

    rival: Row
    algebra: Row
    ratio: Ratio

    @property
    def factor(self) -> float:
        """Time of the algebra divided by the rival's: above 1 the rival is faster."""
        return 1 / self.ratio.median


class Cell(NamedTuple):
    """One algorithm on one graph: its cost, or `text`, which says why there is none."""

    cost: Cost | None
    text: str


class Grid(NamedTuple):
    """Cells by (algorithm, graph), the names in order of appearance, and the rival's family."""

    algorithms: list[str]
    graphs: dict[str, Row]  # a row of each graph; its size is there
    cells: dict[tuple[str, str], Cell]
    family: str | None

    @property
    def rival(self) -> str:
        """The rival's name in a sentence."""
        return RIVALS.get(self.family or "", "nothing")

    @property
    def costs(self) -> list[Cost]:
        """All costs, by algorithm and graph."""
        return [cell.cost for cell in self.cells.values() if cell.cost]


def costs_of_family(rows: Sequence[Row], family: str) -> list[Cost]:
    """Return the costs of all rows of a family that ran beside the algebra on their engine."""
    algebra = {_case(row): row for row in rows if row["family"] == "algebraic"}
    found = []
    for row in rows:
        base = algebra.get(_case(row))
        if row["family"] == family and base and (ratio := ratio_of(row, base)):
            found.append(Cost(row, base, ratio))
    return found


def _case(row: Row) -> tuple[str | None, ...]:
    """Return what a rival and the algebra must have in common."""
    fields = ("comparison", "graph", "fingerprint", "algorithm", "engine")
    return tuple(row.get(field) for field in fields)


def grid(rows: Sequence[Row]) -> Grid:
    """Return the cells of a comparison; of several costs of a cell, that of the fastest rival."""
    family = next((family for family in RIVALS if costs_of_family(rows, family)), None)
    engines = {row.get("engine") for row in rows if row["family"] == "algebraic"}

    def column(row: Row) -> str:
        return f"{row['graph']} ({row.get('engine')})" if len(engines) > 1 else row["graph"]

    shown = [row for row in rows if row["family"] == "algebraic" or row["family"] == family]
    found: dict[tuple[str, str], Cost] = {}
    for cost in costs_of_family(rows, family) if family else ():
        key = cost.rival["algorithm"], column(cost.rival)
        if key not in found or cost.ratio.median < found[key].ratio.median:
            found[key] = cost
    graphs = {column(row): row for row in reversed(shown)}
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in shown:
        groups.setdefault((row["algorithm"], column(row)), []).append(row)
    cells = {key: Cell(found.get(key), _text(found.get(key), groups[key])) for key in groups}
    algorithms = list(dict.fromkeys(row["algorithm"] for row in shown))
    ordered = {name: graphs[name] for name in dict.fromkeys(map(column, shown))}
    return Grid(algorithms, ordered, cells, family)


def _text(cost: Cost | None, group: Sequence[Row]) -> str:
    """Return what stands in a cell instead of a factor, empty if the factor does."""
    if any(has_failed(row) for row in group):
        return "FAILED"
    if cost:
        return "too noisy" if cost.ratio.noisy else ""
    if any(row["trials_s"] and row["family"] == "algebraic" for row in group):
        return "algebra only"
    return "not run"


def disturbed(cost: Cost) -> bool:
    """Whether the machine was busy during either implementation's trials."""
    return "busy machine" in (timing(cost.rival), timing(cost.algebra))
