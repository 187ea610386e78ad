"""Ratios of times, from alternated pairs.

Trial k of two implementations in one comparison ran one after the other, so that both met
the same state of the machine: a ratio is the median of trials[k] / other[k], with quartiles.
Rows of different comparisons are never paired.

A ratio is too noisy to conclude from where its upper quartile is more than WIDE times the lower
one, or where other processes took more than BUSY of the cores' time during the trials: who waits
for all of its threads loses more by that than who does not, in every pair alike. The rule judges
a / b and b / a alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from graphla.errors import InvalidValue

Row = Mapping[str, Any]
WIDE = 1.5
BUSY = 0.25
NOISY = "too noisy to conclude"


class Ratio(NamedTuple):
    """Time over the time of `to`: median, lower and upper quartile of so many pairs.

    `alike` says whether both return the same: levels with parents, say. `foreign_cpu_share` is
    the share of the cores' time that other processes took, None where it is not known.
    """

    median: float
    low: float
    high: float
    pairs: int
    to: str
    alike: bool
    foreign_cpu_share: float | None = None

    @property
    def noisy(self) -> bool:
        """Whether nothing can be concluded from it."""
        return too_noisy(self.low, self.high, self.foreign_cpu_share)

    def conclusion(self) -> str:
        """Return the median and the quartiles as text, or that it is too noisy."""
        if self.noisy:
            return NOISY
        return f"{self.median:.2f} ({self.low:.2f} to {self.high:.2f})"


def too_noisy(low: float, high: float, foreign_cpu_share: float | None) -> bool:
    """Whether nothing is concluded from values with these quartiles, on so busy a machine."""
    return high > WIDE * low or (foreign_cpu_share or 0) > BUSY


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
    return [ratio_of(row, bases.get(_place(row))) for row in rows]


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


def ratio_of(row: Row, base: Row | None) -> Ratio | None:
    """Return the ratio of alternated trials, over the shorter length; None without a pair.

    Examples
    --------
    >>> base = {"trials_s": [1.0, 2.0, 2.0]}
    >>> ratio_of({"trials_s": [2.0, 4.0, 3.0]}, base).conclusion()
    '2.00 (1.75 to 2.00)'
    >>> ratio_of({"trials_s": [2.0, 4.0, 9.0]}, base).conclusion()
    'too noisy to conclude'
    >>> ratio_of({"trials_s": [2.0, 4.0, 3.0], "foreign_cpu_share": 0.5}, base).conclusion()
    'too noisy to conclude'
    """
    trials = zip(row["trials_s"], base["trials_s"] if base else (), strict=False)
    pairs = [mine / other for mine, other in trials if other]
    if not pairs or base is None:
        return None
    low, median, high = quartiles(pairs)
    alike = row.get("returns") == base.get("returns")
    to, share = base.get("implementation", ""), row.get("foreign_cpu_share")
    return Ratio(median, low, high, len(pairs), to, alike, share)
