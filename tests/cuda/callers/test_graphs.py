"""Graphs on engine cuda where host memory begins: checks, files, comparisons."""

import pickle

import numpy as np
import pytest

import graphla as gl
from graphla.errors import EngineMismatch, VerificationError
from graphla.io.results import result_columns
from tests.graphs import random_graph

G = random_graph(30, 100, kind="undirected", dtype="int32")


@pytest.fixture
def H():
    return G.to("cuda")


def test_results_are_verified_on_the_graph_of_the_host(H):
    r, f, C = gl.bfs(H, 0), gl.minimum_spanning_forest(H), gl.transitive_closure(H)
    gl.verify.bfs(G, 0, r.level, r.parent)
    gl.verify.minimum_spanning_forest(G, f)
    gl.verify.transitive_closure(G, C)
    r.level[5] = 29
    with pytest.raises(VerificationError):
        gl.verify.bfs(G, 0, r.level)


@pytest.mark.parametrize("suffix", [".mtx", ".wel", ".npz", ".gr"])
def test_files(H, suffix, tmp_path):
    gl.write(tmp_path / f"a{suffix}", G)
    gl.write(tmp_path / f"b{suffix}", H)
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


def test_columns_of_results(H):
    for here, there in ((gl.bfs(G, 0), gl.bfs(H, 0)), (gl.pagerank(G).rank, gl.pagerank(H).rank)):
        wanted, found = result_columns(here), result_columns(there)
        assert list(wanted) == list(found)
        assert all(type(column) is np.ndarray for column in found.values())
        np.testing.assert_array_equal(wanted["vertex"], found["vertex"])


def test_results_as_arrays_frames_and_paths(H):
    here, there = gl.bfs(G, 0), gl.bfs(H, 0)
    np.testing.assert_array_equal(here.to_numpy().level, there.to_numpy().level)
    assert all(type(x) is np.ndarray for x in there.to_numpy())
    assert there.path(7)[0] == 0
    assert len(there.path(7)) == len(here.path(7))
    assert there.to_frame()["level"].tolist() == here.to_frame()["level"].tolist()
    edges = gl.minimum_spanning_forest(H).to_numpy().edges
    assert sum(edges.weight) == gl.minimum_spanning_forest(G).weight


def test_functions_of_host_graphs_refuse_device_graphs(H):
    with pytest.raises(EngineMismatch, match="'cuda'"):
        gl.compare_levels(H, 0)
    with pytest.raises(EngineMismatch, match=r"G.to\('cpu'\)"):
        gl.verify.betweenness_centrality(H, [0], gl.betweenness_centrality(H, [0]))


def test_a_graph_of_the_device_is_compared():
    names = ["graphla", "graphla-cuda"]
    rows = gl.compare("bfs", G.to("cuda"), sources=1, trials=1, implementations=names).rows
    assert [row["verified"] for row in rows] == [True, True]
    assert len({row["fingerprint"] for row in rows}) == 1


def test_graphs_of_transposes_and_pickles(H):
    D = gl.Graph.from_edges([0, 1], [1, 2]).to("cuda")
    assert gl.Graph(D.A.T).A.get(1, 0) is True
    assert pickle.loads(pickle.dumps(H)).A.isequal(H.A)
    assert H.to("cpu").A.isequal(G.A)


@pytest.mark.thorough
def test_a_graph_of_the_device_is_fetched_only_where_it_is_wanted(monkeypatch):
    H, moves = G.to("cuda"), []
    monkeypatch.setattr(
        gl.Graph, "to", lambda x, engine, to=gl.Graph.to: (moves.append(engine), to(x, engine))[1]
    )
    (row,) = gl.compare("bfs", H, sources=1, trials=1, implementations=["graphla-cuda"]).rows
    assert row["verified"]
    assert "cpu" not in moves
    both = gl.compare("bfs", H, sources=1, trials=1, implementations=["graphla", "graphla-cuda"])
    assert {x["fingerprint"] for x in both.rows} == {row["fingerprint"]}
    gl.compare("bfs", H, sources=1, trials=1, implementations=["graphla"])
    assert moves.count("cpu") == 1
