"""Time ratios of two implementations, from pairs of alternated trials.

Trial k of all implementations in one comparison runs in the same round, that is, under nearly the
same conditions: a ratio is the median of trials[k] / base_trials[k], with quartiles. Rows of
different comparisons are never paired.

A ratio is too noisy to conclude from if its upper quartile is more than WIDE times the lower one,
or if other processes used more than BUSY of the cores' time during the trials: that slows an
implementation that waits for all of its threads more than one that does not, in every pair.
The rule treats a / b and b / a alike.

In words a ratio has one direction: how many times faster, or slower, an implementation is than the
one it is compared with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from graphla.comparison.quiet import BUSY
from graphla.core.validation import check_choice

Row = Mapping[str, Any]
WIDE = 1.5
NOISY = "too noisy to conclude"
UNCLEAR = "no clear difference"
AS_FAST = 1.05  # a smaller difference is none


class Ratio(NamedTuple):
    """Time divided by the time of implementation `to`: median and quartiles over `pairs` pairs.

    `alike` says whether both return the same kind of result. `foreign_cpu_share` is the share of
    the cores' time that other processes used, None if unknown.
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
        """Whether the ratio is too noisy to conclude from."""
        return too_noisy(self.low, self.high, self.foreign_cpu_share)

    def conclusion(self) -> str:
        """Return the median and the quartiles as text, or NOISY."""
        if self.noisy:
            return NOISY
        return f"{self.median:.2f} ({self.low:.2f} to {self.high:.2f})"

    @property
    def outcome(self) -> str:
        """One of "as fast", "faster", "slower", and UNCLEAR if the quartiles disagree."""
        if faster(self.median) == "as fast":
            return "as fast"
        if self.low <= 1 <= self.high:
            return UNCLEAR
        return "faster" if self.median < 1 else "slower"

    def in_words(self) -> str:
        """Return how many times faster or slower, with the quartiles, or NOISY.

        Examples
        --------
        >>> Ratio(0.5, 0.4, 0.55, 9, "graphla", True).in_words()
        '2.0 times faster (1.8 to 2.5)'
        >>> Ratio(1.01, 0.9, 1.2, 9, "graphla", True).in_words()
        'as fast, within 20%'
        >>> Ratio(0.7, 0.68, 1.0, 9, "graphla", True).in_words()
        'no clear difference'
        """
        if self.noisy:
            return NOISY
        if self.outcome == UNCLEAR:
            return UNCLEAR
        if self.outcome == "as fast":
            return f"as fast, within {max(self.high, 1 / self.low) - 1:.0%}"
        ends = sorted(max(end, 1 / end) for end in (self.low, self.high))
        return f"{faster(self.median)} ({' to '.join(map(times, ends))})"


def faster(ratio: float) -> str:
    """Return a ratio of times as "2.1 times faster", "3.0 times slower" or "as fast".

    Examples
    --------
    >>> [faster(ratio) for ratio in (0.5, 1.02, 12.3)]
    ['2.0 times faster', 'as fast', '12 times slower']
    """
    factor = max(ratio, 1 / ratio)
    if factor < AS_FAST:
        return "as fast"
    return f"{times(factor)} times {'faster' if ratio < 1 else 'slower'}"


def times(factor: float) -> str:
    """Return a factor with one digit after the point below 10, else as a whole number."""
    return f"{factor:.1f}" if factor < 9.95 else f"{factor:,.0f}"


def too_noisy(low: float, high: float, foreign_cpu_share: float | None) -> bool:
    """Whether values with these quartiles and this load are too noisy to conclude from."""
    return high > WIDE * low or (foreign_cpu_share or 0) > BUSY


def timing(row: Row) -> str:
    """Return how far the times of a row can be trusted: "steady", or what disturbed them.

    "busy machine": other processes used more than BUSY of the cores' time during the trials, or
    this is unknown and the machine did not become quiet before them. "wide spread": the upper
    quartile of the trials is more than WIDE times the lower one. Empty without trials.
    """
    if not row["trials_s"]:
        return ""
    share = row.get("foreign_cpu_share")
    if (share or 0) > BUSY or (share is None and row.get("quiet") is False):
        return "busy machine"
    low, _, high = quartiles(row["trials_s"])
    return "wide spread" if high > WIDE * low else "steady"


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Return lower quartile, median and upper quartile."""
    low, median, high = np.percentile(values, (25, 50, 75)).tolist()
    return low, median, high


def ratios(rows: Sequence[Row], to: str) -> list[Ratio | None]:
    """Return the ratio of every row to the implementation or family `to`.

    The base of a family is its fastest implementation, on engine "cpu" if there is one. The ratio
    is None if a row, or the base in its comparison, has no trials.
    """
    known = {row["family"] for row in rows} | {row["implementation"] for row in rows}
    if rows:
        check_choice(to, tuple(sorted(known)), "to")
    bases: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        if to in (row["family"], row["implementation"]) and row["trials_s"]:
            case = _case(row)
            if case not in bases or _base_priority(row) < _base_priority(bases[case]):
                bases[case] = row
    return [ratio_of(row, bases.get(_case(row))) for row in rows]


def group_positions(rows: Iterable[Any]) -> dict[tuple[str, str], list[int]]:
    """Return the positions of the rows of each (graph, algorithm), in order of first occurrence."""
    positions: dict[tuple[str, str], list[int]] = {}
    for position, row in enumerate(rows):
        positions.setdefault((row["graph"], row["algorithm"]), []).append(position)
    return positions


def _case(row: Row) -> tuple[Any, ...]:
    """Return what two rows must have in common to be compared."""
    return tuple(row.get(k) for k in ("comparison", "graph", "fingerprint", "algorithm"))


def _base_priority(row: Row) -> tuple[bool, float]:
    return row.get("engine") == "cuda", quartiles(row["trials_s"])[1]


def ratio_of(row: Row, base: Row | None) -> Ratio | None:
    """Return the ratio over the trials that both rows have; None if there is no pair.

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
    pairs = [seconds / base_seconds for seconds, base_seconds in trials if base_seconds]
    if not pairs or base is None:
        return None
    low, median, high = quartiles(pairs)
    alike = row.get("returns") == base.get("returns")
    to, share = base.get("implementation", ""), row.get("foreign_cpu_share")
    return Ratio(median, low, high, len(pairs), to, alike, share)
