"""Neighbours without leading zeros: the words of each range of vertices."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla import transform
from tests.transform.orders_and_forms import host


@pytest.mark.parametrize(("n", "width"), [(1000, 10), (4096, 12), (64, 6), (65, 7)])
def test_words_of_each_range(n, width):
    """64 vertices of one neighbour n - 1 take `width` words of 64 bits; a range starts a word."""
    form = transform.compress(gl.Graph.from_edges(np.arange(n), np.full(n, n - 1), n=n))
    ranges = [min(64, n - first) for first in range(0, n, 64)]
    assert host(form.widths).tolist() == [width] * len(ranges)
    words = [-(-size * width // 32) for size in ranges]
    assert host(form.starts).tolist() == [0, *np.cumsum(words)]
    assert host(form.words).size == sum(words) + 1  # reads of two words stay inside
    assert form.nbytes == sum(host(x).nbytes for x in (form.words, form.starts, form.widths))
