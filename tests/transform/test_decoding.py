"""Storage forms of rows: decoding returns the rows, for edge cases, random and wide graphs."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests import strategies
from tests.every_graph import on_edge_cases
from tests.transform.decoding import check_form, spread
from tests.transform.orders_and_forms import FORMS


@pytest.mark.parametrize("name", FORMS)
@on_edge_cases
def test_edge_cases(name, G):
    check_form(G, name)


@pytest.mark.parametrize("name", FORMS)
@given(G=strategies.graphs(max_n=150, max_m=200))
def test_random_graphs(name, G):
    check_form(G, name)


@pytest.mark.parametrize("name", FORMS)
def test_wide_graphs(name):
    for n, seed in ((1023, 1), (1025, 2), (70000, 3)):
        check_form(spread(n, 3 * n, seed), name)
