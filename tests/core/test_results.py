"""Results as tuples, their text, which never goes through python-graphblas's formatter, and
their conversions, whose oracle is SciPy."""

from __future__ import annotations

import pickle
from itertools import pairwise

import numpy as np
import pytest
from graphblas import Vector
from graphblas.core import formatting
from hypothesis import given
from scipy.sparse.csgraph import shortest_path

import graphla as gl
from graphla.core.results import BFS, SSSP, Edges, Forest, PageRank
from graphla.errors import DomainMismatch, InvalidIndex, InvalidValue, MissingPackage
from tests.graphs import edges, to_scipy
from tests.strategies import graphs, small_weights

LEVEL = Vector.from_coo([0, 2], [0, 1], size=4)
DISTANCE = Vector.from_coo([0, 1, 2, 3], [0, 0.5, 1, 2.5], size=4)
EDGES = Edges(*(Vector.from_dense(np.array(x)) for x in ([0, 1], [1, 2], [5, 7])))

SHORT = [
    (BFS(LEVEL, LEVEL), "BFS(level=[INT64 4, 2 entries], parent=[INT64 4, 2 entries])"),
    (
        SSSP(DISTANCE, LEVEL),
        "SSSP(distance=[FP64 4, 4 entries], parent=[INT64 4, 2 entries])",
    ),
    (
        Forest(EDGES, 12, LEVEL),
        "Forest(edges=(2 edges), weight=12, component=[INT64 4, 2 entries])",
    ),
    (
        PageRank(DISTANCE, 9, 1e-5),
        "PageRank(rank=[FP64 4, 4 entries], iterations=9, residual=1e-05)",
    ),
]


@pytest.fixture(autouse=True)
def no_graphblas_formatter(monkeypatch):
    for name in ("format_vector", "format_vector_html", "format_matrix", "format_matrix_html"):
        monkeypatch.setattr(formatting, name, None)


@pytest.mark.parametrize(("result", "text"), SHORT, ids=lambda x: type(x).__name__)
def test_text(result, text):
    assert repr(result) == text
    html = result._repr_html_()
    assert html.startswith(f"<table><caption>{type(result).__name__}</caption>")
    assert html.count("<tr>") == len(result._fields)
    for name in result._fields:
        assert f"<th>{name}</th>" in html


def test_html_shows_the_first_values():
    html = BFS(LEVEL, LEVEL)._repr_html_()
    assert html.count("<td>0, ·, 1, ·</td>") == 2
    long = Vector.from_dense(np.arange(20) / 3)
    assert "<td>0, 0.3333, 0.6667, 1, 1.333, 1.667, 2, 2.333, ...</td>" in (
        PageRank(long, 1, 0.1)._repr_html_()
    )
    assert "<td></td>" in PageRank(Vector(float, 0), 1, 0.1)._repr_html_()


def test_a_result_unpacks_in_the_documented_order():
    level, parent = BFS(LEVEL, DISTANCE)
    assert (level, parent) == (LEVEL, DISTANCE)
    assert BFS._fields == ("level", "parent")
    assert SSSP._fields == ("distance", "parent")
    assert Forest._fields == ("edges", "weight", "component")
    assert Edges._fields == ("src", "dst", "weight")
    assert PageRank._fields == ("rank", "iterations", "residual")


@pytest.mark.parametrize("result", [r for r, _ in SHORT], ids=lambda r: type(r).__name__)
def test_pickle(result):
    copied = pickle.loads(pickle.dumps(result))
    assert type(copied) is type(result)
    assert repr(copied) == repr(result)


@given(graphs(weights=small_weights.map(lambda w: w + 1)))
def test_arrays_are_those_of_scipy(G):
    for r, unweighted in ((gl.sssp(G, 0), False), (gl.bfs(G, 0), True)):
        wanted, predecessor = shortest_path(
            to_scipy(G), indices=0, unweighted=unweighted, return_predecessors=True
        )
        found, parent = r.to_numpy()
        assert type(r.to_numpy()) is type(r)
        assert found.flags.writeable
        assert parent.flags.writeable
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(parent == -9999, predecessor == -9999)


@given(graphs(weights=small_weights))
def test_a_path_is_as_long_as_the_distance(G):
    weights = dict(zip(zip(*G.A.to_coo()[:2], strict=True), G.A.to_coo()[2], strict=True))
    for r, length in (
        (gl.sssp(G, 0), lambda edge: weights[edge]),
        (gl.bfs(G, 0), lambda edge: int(edge in weights)),
    ):
        arrays = r.to_numpy()
        reached = np.flatnonzero(np.isfinite(arrays[0]))
        for v in range(G.n):
            if v not in reached:
                with pytest.raises(InvalidValue, match=f"vertex {v} was not reached"):
                    r.path(v)
                continue
            path = r.path(v)
            assert (path[0], path[-1], len(set(path))) == (0, v, len(path))
            assert all(type(u) is int for u in path)
            assert sum(map(length, pairwise(path))) == arrays[0][v]
            assert arrays.path(v) == path


def test_paths_of_several_sources():
    G = edges([0, 0, 1], [1, 2, 2], [4, 3, -2], n=4)
    r = gl.shortest_path_trees(G, [1, 0])
    assert r.to_numpy().distance.tolist() == [[np.inf, 0, -2, np.inf], [0, 4, 2, np.inf]]
    assert r.to_numpy().parent.tolist() == [[-9999, -9999, 1, -9999], [-9999, 0, 1, -9999]]
    assert (r.path(2, row=0), r.path(2, row=1)) == ([1, 2], [0, 1, 2])
    for row, error, match in (
        (None, InvalidValue, "2 sources: path"),
        (2, InvalidIndex, "row=2 is not in 0..1"),
        (-1, InvalidIndex, "row=-1"),
        ("0", DomainMismatch, "row must be an integer, not str"),
    ):
        with pytest.raises(error, match=match):
            r.path(2, row=row)
    with pytest.raises(InvalidValue, match="vertex 0 was not reached"):
        r.path(0, row=0)
    frame = r.to_frame(labels=list("abcd"))
    assert frame.values.tolist() == [
        [0, "b", 0, "b"], [0, "c", -2, "b"], [1, "a", 0, "a"], [1, "b", 4, "a"], [1, "c", 2, "b"],
    ]  # fmt: skip
    assert list(frame) == ["row", "column", "distance", "parent"]


def test_targets_that_are_no_vertices():
    r = gl.bfs(edges([0], [1], n=3), 0)
    for target in (3, -1):
        with pytest.raises(InvalidIndex, match=rf"target={target} is not a vertex: .* n=3"):
            r.path(target)
    with pytest.raises(DomainMismatch, match="target must be an integer, not float"):
        r.path(1.0)
    with pytest.raises(InvalidValue, match="row=0 for a result of one source"):
        r.path(1, row=0)


def test_numbers_and_nested_results_as_arrays():
    forest = Forest(EDGES, 12, DISTANCE).to_numpy()
    assert [x.tolist() for x in forest.edges] == [[0, 1], [1, 2], [5, 7]]
    assert (type(forest.edges), forest.weight) == (Edges, 12)
    assert forest.component.tolist() == [0, 0.5, 1, 2.5]
    rank = PageRank(DISTANCE, 9, 1e-5).to_numpy()
    assert (rank.rank.tolist(), rank[1:]) == ([0, 0.5, 1, 2.5], (9, 1e-5))
    assert rank.to_numpy().rank is rank.rank


def test_frames_have_labels():
    G = edges([0, 1, 0, 3], [1, 2, 2, 2], [1, 2, 9, 1], n=5, kind="undirected")
    frame = gl.minimum_spanning_forest(G).to_frame(labels=list("abcde"))
    assert frame.values.tolist() == [["a", "b", 1], ["b", "c", 2], ["c", "d", 1]]
    frame = gl.louvain(G).to_frame(labels=list("abcde"))
    assert frame.community.tolist()[4] == "e"
    triangles = gl.triangle_list(G).to_frame(labels=list("abcde"))
    assert list(triangles) == ["u", "v", "w"]
    assert sorted(triangles.values[0]) == ["a", "b", "c"]
    assert gl.pagerank(G).to_frame()["rank"].sum() == pytest.approx(1)


def test_frames_without_pandas(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(MissingPackage, match="needs pandas: pip install"):
        BFS(LEVEL, LEVEL).to_frame()
