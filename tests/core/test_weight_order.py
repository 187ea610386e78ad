"""Ranks against a lexicographic sort of (weight, src, dst)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from graphla import Graph
from graphla.core.weight_order import decode, encode, ranks
from graphla.errors import InvalidValue, SymmetricStructureRequired
from tests import strategies
from tests.graphs import DTYPES, edge_cases, random_graph


def check(G):
    R = ranks(G)
    i, j, w = G.A.to_coo()
    upper = i < j
    i, j, w = i[upper], j[upper], w[upper]
    order = np.lexsort((j, i, w))
    expected = np.empty(w.size, np.int64)
    expected[order] = np.arange(w.size)
    a, b, rank = R.to_coo()
    assert R.shape == (G.n, G.n)
    assert R.dtype.name == "INT32"
    assert rank[a < b].tolist() == expected.tolist()
    assert (a[a < b].tolist(), b[a < b].tolist()) == (i.tolist(), j.tolist())
    assert R.isequal(R.T.new())
    assert not (a == b).any()


@pytest.mark.parametrize("name", edge_cases())
def test_edge_cases(name):
    check(edge_cases("undirected")[name])


@given(strategies.graphs(kind="undirected", weights=strategies.signed_weights))
def test_integers(G):
    check(G)


@given(strategies.graphs(kind="undirected", weights=strategies.float_weights))
def test_floats(G):
    check(G)


@pytest.mark.parametrize("dtype", [None, *DTYPES])
def test_dtypes(dtype):
    check(random_graph(40, 200, kind="undirected", dtype=dtype))


@pytest.mark.parametrize("dtype", DTYPES[1:])
def test_full_range_of_each_dtype(dtype):
    kind = np.dtype(dtype).kind
    info = np.finfo(dtype) if kind == "f" else np.iinfo(dtype)
    rng = np.random.default_rng(3)
    bits = rng.integers(0, 256, 300 * np.dtype(dtype).itemsize, dtype=np.uint8).view(dtype)
    special = [info.max, info.min, 0, 1, *([np.inf, -np.inf, info.tiny] if kind == "f" else [])]
    weight = np.concatenate([np.nan_to_num(bits), np.array(special * 3, dtype)])
    src, dst = rng.integers(0, 60, (2, weight.size))
    check(Graph.from_edges(src, dst, weight, n=60, kind="undirected"))


def test_negative_zero_is_zero():
    G = Graph.from_edges([0, 1, 2], [1, 2, 3], [0.0, -0.0, 0.0], kind="undirected")
    assert ranks(G).to_coo()[2].tolist() == [0, 0, 1, 1, 2, 2]


def test_cached_on_the_graph():
    G = random_graph(10, 30, kind="undirected", dtype="int32")
    assert G.ranks is G.ranks
    assert "ranks" in G.cached
    assert G.ranks.isequal(ranks(G))


def test_refused():
    with pytest.raises(SymmetricStructureRequired, match="3 vertices"):
        ranks(Graph([[0, 1, 0], [0, 0, 1], [0, 0, 0]]))
    with pytest.raises(InvalidValue, match="NaN"):
        ranks(Graph.from_edges([0, 1], [1, 2], [1.0, np.nan], kind="undirected"))


@pytest.mark.parametrize("dtype", DTYPES)
def test_codes_have_the_order_of_the_values_and_decode_to_them(dtype):
    kind = np.dtype(dtype).kind
    if kind == "b":
        values = np.array([False, True])
    else:
        info = np.finfo(dtype) if kind == "f" else np.iinfo(dtype)
        more = [-np.inf, np.inf, -info.tiny, info.tiny] if kind == "f" else []
        values = np.unique(np.array([info.min, info.max, 0, 1, 7, *more], dtype))
    codes = encode(values, np)
    assert codes.dtype == f"u{values.itemsize}"
    assert (codes[1:] > codes[:-1]).all()
    assert decode(codes, dtype, np).tolist() == values.tolist()
