"""Neighbours without leading zeros: decoding returns the rows, in fewer bytes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import graphla as gl
from graphla import transform
from tests import strategies
from tests.every_graph import on_edge_cases
from tests.transform.decoding import check_form, check_wide_graphs
from tests.transform.orders_and_forms import host

NAMES = ["compress", "compress rows by degree"]


@pytest.mark.parametrize("name", NAMES)
@on_edge_cases
def test_edge_cases(name, G):
    check_form(G, name)


@pytest.mark.parametrize("name", NAMES)
@given(G=strategies.graphs(max_n=150, max_m=200))
def test_random_graphs(name, G):
    check_form(G, name)


@pytest.mark.parametrize("name", NAMES)
def test_wide_graphs(name):
    check_wide_graphs(name)


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
