"""Graph: kinds and dtypes, identity, copies, new objects, text."""

from __future__ import annotations

import copy
import pickle
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla import Graph, generate
from graphla.errors import (
    DomainMismatch,
    EngineUnavailable,
    InvalidGraph,
)
from tests.core.arrays import assert_holds, dense
from tests.graphs import DTYPES, edges, random_graph


def test_unknown_kind():
    with pytest.raises(InvalidGraph, match="'tree'"):
        Graph([[0]], kind="tree")


@pytest.mark.parametrize(
    "D",
    [
        [[0, 1], [0, 0]],
        [[0, 1], [2, 0]],
        [[0, np.nan], [1, 0]],
        [[0, np.nan, 0], [0, 0, 1], [np.nan, 0, 0]],
        [[np.nan, 1], [2, 0]],
    ],
)
def test_undirected_is_verified(D):
    with pytest.raises(InvalidGraph, match="is not symmetric"):
        Graph(D, kind="undirected")
    assert not Graph(D).is_symmetric


@pytest.mark.parametrize("dtype", DTYPES)
def test_undirected_is_accepted(dtype):
    D = np.maximum(dense(dtype), dense(dtype).T)
    G = Graph(D, kind="undirected")
    assert_holds(G, D)
    assert G.AT is G.A
    assert Graph(D).is_symmetric


def test_nan_equals_nan_in_an_undirected_graph():
    nan = np.nan
    G = Graph([[nan, nan, 1], [nan, 0, 2], [1, 2, 0]], kind="undirected")
    assert G.has_nan
    assert G.nedges == 4


@pytest.mark.parametrize("make", ["astype", "vector", "matrix", "scalar"])
@pytest.mark.parametrize("dtype", ["nonsense", "FC64", None, object])
def test_what_is_no_dtype_of_weights_is_refused(make, dtype):
    with pytest.raises(DomainMismatch, match="dtype"):
        getattr(generate.grid(3, 3), make)(dtype)


KINDS = ["directed", "undirected"]


def test_a_graph_does_not_change():
    G = Graph([[0, 1], [1, 0]])
    G.cache("out_degree")
    for name in ("A", "kind", "engine", "n", "out_degree", "AT", "other"):
        with pytest.raises(AttributeError, match=f"'{name}' cannot be set"):
            setattr(G, name, 1)
        with pytest.raises(AttributeError, match=f"'{name}' cannot be deleted"):
            delattr(G, name)
    assert set(vars(G)) == {"out_degree"}  # nothing but what is derived


def test_equality_is_identity():
    G, H = (Graph([[0, 1], [1, 0]]) for _ in range(2))
    assert G == G
    assert G != H
    assert len({G, H, G}) == 2
    assert weakref.ref(G)() is G


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", [None, "int32", "float64"])
def test_pickle_and_copy(kind, dtype):
    G = random_graph(20, 60, kind=kind, dtype=dtype).cache("csr", "out_degree", "nself_edges")
    for H in (pickle.loads(pickle.dumps(G)), copy.copy(G), copy.deepcopy(G)):
        assert H is not G
        assert (H.kind, H.engine, H.dtype, H.n) == (G.kind, G.engine, G.dtype, G.n)
        assert (G.nmerged, H.nmerged) == (60 - G.nedges, 0)
        assert H.A.isequal(G.A, check_dtype=True)
        assert H.A.ss.is_iso == G.A.ss.is_iso
        assert "csr" not in H.cached
        assert (H.AT is H.A) == (kind == "undirected")
    assert copy.copy(G).A is G.A
    assert copy.deepcopy(G).A is not G.A


def test_new_objects_and_engines():
    G = Graph([[0, 2], [2, 0]])
    v, M, N = G.vector("FP32"), G.matrix("INT8"), G.matrix("BOOL", ncols=5)
    assert (v.dtype, v.size, v.nvals) == ("FP32", 2, 0)
    assert (M.dtype, M.shape, M.nvals) == ("INT8", (2, 2), 0)
    assert (N.dtype, N.shape) == ("BOOL", (2, 5))
    assert (G.scalar("INT64").value, G.scalar("INT64").dtype) == (0, "INT64")
    assert G.to("cpu") is G
    with pytest.raises(EngineUnavailable, match="'abacus'"):
        G.to("abacus")


def test_text():
    G = edges([0, 1], [1, 1], n=1234)
    assert repr(G) == "<Graph: directed, 1,234 vertices, 2 edges, BOOL, cpu>"
    assert repr(Graph([[1.5]], kind="undirected")) == (
        "<Graph: undirected, 1 vertex, 1 edge, FP64, cpu>"
    )
    assert "<th>vertices</th><td>1,234</td>" in G._repr_html_()
    assert "<th>weights</th><td>none</td>" in G._repr_html_()


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4))),
    st.sampled_from(["directed", "undirected"]),
)
def test_merged_edges_are_counted(pairs, kind):
    src, dst = np.array(pairs, np.int64).reshape(-1, 2).T
    G = Graph.from_edges(src.tolist(), dst.tolist(), n=5, kind=kind)
    distinct = {frozenset(pair) if kind == "undirected" else pair for pair in pairs}
    assert G.nmerged == len(pairs) - len(distinct)
    assert f"({G.nmerged} duplicate" in repr(G) if G.nmerged else "merged" not in repr(G)
    assert Graph(G.A, kind=kind).nmerged == 0
