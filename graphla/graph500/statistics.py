"""The statistics of the output block, by the formulas of the reference code.

Source: Graph500 benchmark specification, section 10; for the deviation of a harmonic mean
N. Norris, "The standard errors of the geometric and harmonic means and their application
to index numbers", Annals of Mathematical Statistics 11, 1940.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan, sqrt
from typing import NamedTuple

from graphla.errors import InvalidValue


class Statistics(NamedTuple):
    """Order statistics, mean and standard deviation (NaN for one value) of a sample."""

    min: float
    firstquartile: float
    median: float
    thirdquartile: float
    max: float
    mean: float
    stddev: float


class Rates(NamedTuple):
    """Traversed edges per second (TEPS): order statistics, harmonic mean and its deviation."""

    min: float
    firstquartile: float
    median: float
    thirdquartile: float
    max: float
    harmonic_mean: float
    harmonic_stddev: float


def statistics(sample: Sequence[float]) -> Statistics:
    """Return the statistics of a sample; an empty one raises InvalidValue.

    Examples
    --------
    >>> statistics([4.0, 1.0, 2.0, 3.0])[:6]
    (1.0, 1.5, 2.5, 3.5, 4.0, 2.5)
    """
    x, n = sorted(map(float, sample)), len(sample)
    if not n:
        raise InvalidValue("statistics of an empty sample")
    mean = sum(x) / n
    return Statistics(
        x[0],
        (x[(n - 1) // 4] + x[n // 4]) / 2,
        (x[(n - 1) // 2] + x[n // 2]) / 2,
        (x[n - 1 - (n - 1) // 4] + x[n - 1 - n // 4]) / 2,
        x[-1],
        mean,
        sqrt(sum((y - mean) ** 2 for y in x) / (n - 1)) if n > 1 else nan,
    )


def rates(edges: Sequence[int], seconds: Sequence[float]) -> Rates:
    """Return the statistics of edges[k] / seconds[k], derived from those of seconds per edge.

    Examples
    --------
    >>> rates([10, 10], [1.0, 3.0]).harmonic_mean
    5.0
    """
    summary = statistics([t / m for m, t in zip(edges, seconds, strict=True)])
    deviation = summary.stddev / (summary.mean**2 * sqrt(len(edges) - 1)) if len(edges) > 1 else nan
    return Rates(
        1 / summary.max,
        1 / summary.thirdquartile,
        1 / summary.median,
        1 / summary.firstquartile,
        1 / summary.min,
        1 / summary.mean,
        deviation,
    )
