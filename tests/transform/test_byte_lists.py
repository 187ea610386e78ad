"""Neighbours in ten bits: decoding returns the rows, and windows hold the most neighbours."""

from __future__ import annotations

import pytest
from hypothesis import given

import graphla as gl
from graphla import transform
from tests import strategies
from tests.every_graph import on_edge_cases
from tests.transform.decoding import check_form, check_wide_graphs
from tests.transform.orders_and_forms import host

NAMES = ["byte_ids"]


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


def test_windows_hold_the_most():
    form = transform.byte_ids(gl.Graph.from_edges([5] * 6, [0, 3, 2000, 2001, 3023, 3024], n=4000))
    assert host(form.base)[5] == 2000
    assert host(form.far).tolist() == [0, 3, 3024]
    assert host(form.bytes).tolist() == [0, 1, 255]
    assert host(form.blocks).tolist() == [3 << 4]
    assert form.nbytes == 4 * 4000 + 3 + 1 + 4 * 3  # base, bytes, blocks, far
