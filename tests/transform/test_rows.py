"""Rows by degree and by weight."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla import transform
from tests import strategies
from tests.every_graph import on_edge_cases
from tests.graphs import DTYPES, random_graph
from tests.transform.orders_and_forms import (
    arrays,
    host,
)


def check_rows(G):
    """Each row has its entries, by descending degree, or by weight."""
    indptr, indices, values = (None if x is None else host(x) for x in arrays(G))
    weight = np.ones(indices.size) if values is None else values
    degree = np.diff(indptr)
    rows = np.repeat(np.arange(G.n), degree)
    keys = {
        transform.rows_by_degree: (indices, -degree[indices], rows),
        transform.rows_by_weight: (indices, weight, rows),
    }
    for function, key in keys.items():
        found = function(G)
        by = np.lexsort(key)
        assert (found.n, found.kind, found.engine) == (G.n, G.kind, G.engine)
        assert host(found.indptr).tolist() == indptr.tolist()
        assert host(found.indices).tolist() == indices[by].tolist()
        if values is None:
            assert found.values is None
        else:
            assert host(found.values).tobytes() == values[by].tobytes()


@given(strategies.graphs(weights=st.one_of(st.integers(-3, 3), strategies.float_weights)))
def test_rows(G):
    check_rows(G)


@pytest.mark.parametrize("dtype", [None, *DTYPES])
def test_rows_of_each_dtype(dtype):
    check_rows(random_graph(30, 120, dtype=dtype, high=5))


@on_edge_cases
def test_rows_of_edge_cases(G):
    check_rows(G)
