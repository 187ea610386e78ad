"""The statistics of the output block, on known numbers."""

from math import isnan

import numpy as np
import pytest
from scipy.stats import hmean

from graphla.errors import InvalidValue
from graphla.graph500 import rates, statistics

SAMPLE = [3.5, 1.25, 9.0, 2.0, 2.0, 7.75, 4.0, 0.5]


@pytest.mark.parametrize("n", [2, 3, 5, 8])
def test_moments_and_order(n):
    x = SAMPLE[:n]
    result = statistics(x)
    assert (result.min, result.max) == (min(x), max(x))
    assert result.mean == pytest.approx(np.mean(x))
    assert result.median == pytest.approx(np.median(x))
    assert result.stddev == pytest.approx(np.std(x, ddof=1))


def test_quartiles_average_two_neighbours_where_they_fall_between():
    assert statistics(range(1, 65))[1:4] == (16.5, 32.5, 48.5)
    assert statistics([1, 2, 3, 4, 5])[1:4] == (2, 3, 4)
    assert statistics([5, 4, 1])[1:4] == (1, 4, 5)


def test_rates_are_reciprocals_of_seconds_per_edge():
    edges, seconds = [100, 200, 100, 50], [1.0, 1.0, 4.0, 0.25]
    teps = np.array(edges) / seconds
    result = rates(edges, seconds)
    assert result.harmonic_mean == pytest.approx(hmean(teps))
    assert (result.min, result.max) == pytest.approx((teps.min(), teps.max()))
    assert result.firstquartile == pytest.approx(1 / statistics(1 / teps).thirdquartile)
    # Norris: the deviation of 1 / mean(x) is that of x over mean(x)^2 sqrt(n - 1)
    x = 1 / teps
    assert result.harmonic_stddev == pytest.approx(np.std(x, ddof=1) / np.mean(x) ** 2 / np.sqrt(3))


def test_a_sample_of_one_has_no_deviation():
    assert isnan(statistics([2.0]).stddev)
    assert isnan(rates([2], [1.0]).harmonic_stddev)
    assert rates([2], [1.0]).harmonic_mean == 2


def test_an_empty_sample_is_refused():
    with pytest.raises(InvalidValue, match="empty"):
        statistics([])
    with pytest.raises(InvalidValue, match="empty"):
        rates([], [])
