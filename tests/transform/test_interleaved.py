"""Interleaved neighbours: decoding returns the rows, for any share of them."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests import strategies
from tests.every_graph import on_edge_cases
from tests.transform.decoding import check_form, check_wide_graphs

NAMES = ["interleave", "interleave all", "interleave none"]


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
