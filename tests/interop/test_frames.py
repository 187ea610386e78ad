"""Edge frames of pandas, Polars and Arrow: labels, weights, kinds, duplicates, round trips."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidGraph,
    InvalidValue,
    MissingPackage,
)
from tests.graphs import edge_cases
from tests.strategies import examples


class Pandas:
    def __init__(self):
        self.library = pytest.importorskip("pandas")
        self.module = gl.interop.pandas
        self.back = self.module.to_frame

    def frame(self, columns):
        return self.library.DataFrame(columns)

    def categories(self, values, all_):
        return self.library.Categorical(values, categories=all_)

    def columns(self, frame):
        return {name: frame[name].tolist() for name in frame}


class Polars(Pandas):
    def __init__(self):
        self.library = pytest.importorskip("polars")
        self.module = gl.interop.polars
        self.back = self.module.to_frame

    def categories(self, values, all_):
        return self.library.Series(values, dtype=self.library.Enum(all_))

    def columns(self, frame):
        return frame.to_dict(as_series=False)


class Arrow(Pandas):
    def __init__(self):
        self.library = pytest.importorskip("pyarrow")
        self.module = gl.interop.arrow
        self.back = self.module.to_table

    def frame(self, columns):
        return self.library.table(columns)

    def categories(self, values, all_):
        codes = [None if x is None else all_.index(x) for x in values]
        return self.library.DictionaryArray.from_arrays(codes, self.library.array(all_))

    def columns(self, frame):
        return frame.to_pydict()


@pytest.fixture(params=[Pandas, Polars, Arrow], ids=lambda c: c.__name__.lower(), scope="module")
def kit(request):
    return request.param()


def listed(labels):
    return labels.to_list() if hasattr(labels, "to_list") else labels.to_pylist()


def edges_of(G, labels):
    """Return {(from, to): weight}, without weights 1."""
    rows, cols, values = G.A.to_coo()
    names = listed(labels)
    return {(names[i], names[j]): v.item() for i, j, v in zip(rows, cols, values, strict=True)}


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "float32", "float64"])
def test_labels_are_sorted_and_weights_keep_their_dtype(kit, dtype):
    frame = kit.frame({"a": ["x", "z", "b"], "b": ["z", "b", "x"], "w": np.array([3, 1, 2], dtype)})
    G, labels = kit.module.from_edges(frame, "a", "b", "w")
    assert listed(labels) == ["b", "x", "z"]
    assert G.dtype.np_type == dtype
    assert edges_of(G, labels) == {("x", "z"): 3, ("z", "b"): 1, ("b", "x"): 2}
    assert not kit.module.from_edges(frame, "a", "b").graph.weighted


def test_labels_of_other_types(kit):
    days = np.array(["2026-01-02", "2026-01-01"], "datetime64[us]")
    large = np.array([2**64 - 1, 3], np.uint64)
    for values in (days, large, np.array([2.5, -1.0]), np.array([7, 3], np.uint8)):
        G, labels = kit.module.from_edges(kit.frame({"src": values, "dst": values[::-1]}))
        assert np.array(listed(labels), values.dtype).tolist() == np.sort(values).tolist()
        assert G.A.to_dense(fill_value=False).tolist() == [[False, True], [True, False]]


@pytest.mark.parametrize(
    ("dup", "weight"), [("min", 1), ("max", 5), ("sum", 10), ("first", 4), ("last", 1)]
)
def test_duplicate_edges_combine_by_the_dup_rule(kit, dup, weight):
    frame = kit.frame({"src": ["a", "b", "a"], "dst": ["b", "a", "b"], "w": [4, 5, 1]})
    G, labels = kit.module.from_edges(frame, weight="w", kind="undirected", dup=dup)
    assert edges_of(G, labels) == {("a", "b"): weight, ("b", "a"): weight}
    assert G.nedges == 1
    assert kit.module.from_edges(frame, weight="w", dup=dup).graph.nedges == 2


def test_numeric_labels(kit):
    frame = kit.frame({"src": [30, 10], "dst": [10, -5]})
    G, labels = kit.module.from_edges(frame)
    assert listed(labels) == [-5, 10, 30]
    assert edges_of(G, labels) == {(30, 10): True, (10, -5): True}


def test_shared_categories_define_the_vertices(kit):
    every = ["z", "lonely", "a"]
    frame = kit.frame(
        {"src": kit.categories(["z", "a"], every), "dst": kit.categories(["a", "a"], every)}
    )
    G, labels = kit.module.from_edges(frame)
    assert listed(labels) == every
    assert edges_of(G, labels) == {("z", "a"): True, ("a", "a"): True}


def test_different_categories_are_merged_into_sorted_labels(kit):
    frame = kit.frame(
        {
            "src": kit.categories(["z", "a"], ["a", "unused", "z"]),
            "dst": kit.categories(["b", "a"], ["b", "a"]),
        }
    )
    G, labels = kit.module.from_edges(frame)
    assert listed(labels) == ["a", "b", "z"]
    assert edges_of(G, labels) == {("z", "b"): True, ("a", "a"): True}


def test_labels_argument_defines_the_vertex_order(kit):
    frame = kit.frame({"src": ["a", "b"], "dst": ["b", "c"]})
    G, labels = kit.module.from_edges(frame, labels=["c", "d", "b", "a"])
    assert (G.n, listed(labels)) == (4, ["c", "d", "b", "a"])
    assert edges_of(G, labels) == {("a", "b"): True, ("b", "c"): True}


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_round_trip(kit, kind):
    for name, G in edge_cases(kind).items():
        if G.n == 0:
            continue
        labels = [f"v{k:02}" for k in range(G.n)][::-1]
        frame = kit.back(G, labels)
        H, again = kit.module.from_edges(frame, weight="weight" if G.weighted else None, kind=kind)
        assert listed(again) == labels, name
        assert H.A.isequal(G.A, check_dtype=True), name
        assert len(frame) == G.nedges


def test_frames_without_labels_have_vertex_numbers(kit):
    G = gl.Graph([[0, 5, 0], [0, 0, 2], [0, 0, 0]])
    assert kit.columns(kit.back(G)) == {"src": [0, 1], "dst": [1, 2], "weight": [5, 2]}


def test_results_have_labels(kit):
    G = gl.Graph([[0, 5, 0], [0, 0, 2], [0, 0, 0]])
    r = kit.columns(kit.back(gl.sssp(G, 1), ["a", "b", "c"]))
    assert r == {"vertex": ["b", "c"], "distance": [0, 2], "parent": ["b", "b"]}
    label = gl.connected_components(G)
    r = kit.columns(kit.back(label, ["a", "b", "c"], vertices=["vertex", "value"]))
    assert r == {"vertex": ["a", "b", "c"], "value": ["a", "a", "a"]}
    pairs = kit.columns(kit.back(gl.transitive_closure(G), ["a", "b", "c"]))
    assert sorted(zip(*pairs.values(), strict=True)) == [("a", "b"), ("a", "c"), ("b", "c")]
    forest = gl.minimum_spanning_forest(gl.Graph.from_edges([0], [2], [7], kind="undirected"))
    r = kit.columns(kit.back(forest, ["a", "b", "c"]))
    assert r == {"src": ["a"], "dst": ["c"], "weight": [7]}


def test_refusals(kit):
    frame = kit.frame({"src": ["a", None], "dst": ["b", "c"], "w": [1.0, None]})
    whole = kit.frame({"src": ["a", "a"], "dst": ["b", "b"], "w": ["1", "2"]})
    unknown = kit.frame({"src": ["a", "b"], "dst": ["b", "c"], "w": [1.0, float("nan")]})
    make = kit.module.from_edges
    for call, error, match in [
        (lambda: make("edges.csv"), DomainMismatch, "not str; graphla.read|not an Arrow table"),
        (lambda: make(frame, "source"), InvalidValue, "no column 'source'; the columns are"),
        (lambda: make(frame), InvalidValue, "row 1 of column 'src' is missing"),
        (lambda: make(frame, "dst", "dst", "w"), InvalidValue, "row 1 of column 'w' has no value"),
        (lambda: make(unknown, weight="w"), InvalidValue, "row 1 of column 'w' has no value"),
        (lambda: make(whole, labels=["a", "c"]), InvalidValue, "row 0 of column 'dst'"),
        (lambda: make(whole, labels=["a", "b", "a"]), InvalidValue, "3 labels, 2 distinct"),
        (lambda: make(whole, weight="w"), DomainMismatch, "dtype"),
        (lambda: make(whole, dup=None), InvalidGraph, "twice"),
        (lambda: make(whole, kind="tree"), InvalidGraph, "'tree'"),
        (lambda: kit.back(make(whole).graph, ["a"]), DimensionMismatch, "1 labels for 2 vertices"),
        (lambda: kit.back(make(whole).graph, "abc"), DimensionMismatch, "3 labels for 2"),
        (lambda: kit.back(gl.bfs(make(whole).graph, 1), ["a"]), DimensionMismatch, "1 labels"),
    ]:
        with pytest.raises(error, match=match):
            call()


def test_missing_package_is_named_in_the_error(kit, monkeypatch):
    frame = kit.frame({"src": ["a"], "dst": ["b"]})
    monkeypatch.setitem(__import__("sys").modules, kit.library.__name__, None)
    for call in (lambda: kit.module.from_edges(frame), lambda: kit.back(gl.Graph([[1]]))):
        with pytest.raises(MissingPackage, match=f"needs {kit.library.__name__}: pip install"):
            call()


LABELS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=2)


@pytest.mark.thorough
@examples(20)
@given(st.lists(st.tuples(LABELS, LABELS, st.integers(0, 9)), min_size=1))
def test_arbitrary_text_labels(kit, triples):
    src, dst, weight = (list(x) for x in zip(*triples, strict=True))
    frame = kit.frame({"src": src, "dst": dst, "w": weight})
    G, labels = kit.module.from_edges(frame, weight="w", dup="sum")
    expected = {}
    for i, j, w in triples:
        expected[i, j] = expected.get((i, j), 0) + w
    assert edges_of(G, labels) == expected
