"""Ratios of times, from alternated pairs.

Trial k of two implementations in one comparison ran one after the other, so that both met
the same state of the machine: a ratio is the median of trials[k] / other[k], with quartiles.
Rows of different comparisons are never paired.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from graphla.errors import InvalidValue

Row = Mapping[str, Any]


class Ratio(NamedTuple):
    """Time over the time of `to`: median, lower and upper quartile of so many pairs.

    `alike` says whether both return the same: levels with parents, say.
    """

    median: float
    low: float
    high: float
    pairs: int
    to: str
    alike: bool


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Return lower quartile, median and upper quartile."""
    low, middle, high = np.percentile(values, (25, 50, 75)).tolist()
    return low, middle, high


def ratios(rows: Sequence[Row], to: str) -> list[Ratio | None]:
    """Return the ratio of every row to the implementation, or family, that `to` names.

    Of a family with several implementations the fastest counts, on engine "cpu" if one runs
    there. None stands where a row
    has no trials, or its comparison no trials of `to`.
    """
    known = {row["family"] for row in rows} | {row["implementation"] for row in rows}
    if rows and to not in known:
        raise InvalidValue(f"to={to!r} is none of: {', '.join(sorted(known))}")
    bases: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        if to in (row["family"], row["implementation"]) and row["trials_s"]:
            place = _place(row)
            if place not in bases or _rank(row) < _rank(bases[place]):
                bases[place] = row
    return [_ratio(row, bases.get(_place(row))) for row in rows]


def groups(rows: Iterable[Any]) -> dict[tuple[str, str], list[int]]:
    """Return the positions of the rows of each graph and algorithm, in order of first sight."""
    found: dict[tuple[str, str], list[int]] = {}
    for at, row in enumerate(rows):
        found.setdefault((row["graph"], row["algorithm"]), []).append(at)
    return found


def _place(row: Row) -> tuple[Any, ...]:
    return tuple(row.get(k) for k in ("comparison", "graph", "fingerprint", "algorithm"))


def _rank(row: Row) -> tuple[bool, float]:
    return row.get("engine") == "cuda", quartiles(row["trials_s"])[1]


def _ratio(row: Row, base: Row | None) -> Ratio | None:
    pairs = [
        mine / other
        for mine, other in zip(row["trials_s"], base["trials_s"] if base else (), strict=False)
        if other
    ]
    if not pairs or base is None:
        return None
    low, median, high = quartiles(pairs)
    alike = row.get("returns") == base.get("returns")
    return Ratio(median, low, high, len(pairs), base["implementation"], alike)
