"""Ranks in two worker processes: results as on engine "cpu", and what is raised where one fails."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

import graphblas as gb
import numpy as np
import pytest

import graphla as gl
from graphla.errors import (
    ConvergenceFailure,
    DivergedRanks,
    DomainMismatch,
    EngineMismatch,
    EngineUnavailable,
    InvalidCall,
    InvalidIndex,
    InvalidValue,
    MissingPackage,
    NotSupported,
    OutOfMemory,
    RankFailure,
    RankLost,
    ReadError,
    RemoteError,
)
from graphla.ranks.processes.dask import client as client_module
from tests.algorithm_calls import algorithms, tiny
from tests.graphs import random_graph
from tests.ranks.test_every_algorithm import assert_equal, outcome

SECONDS = 10  # within which the loss of a rank is raised


@pytest.fixture(params=["directed", "undirected"])
def pair(request, two_workers):
    """Return a graph, and the same on the workers."""
    G = random_graph(60, 300, kind=request.param, dtype="int64", seed=2)
    return G, G.to("dask", client=two_workers)


@pytest.fixture
def H(two_workers):
    return gl.generate.kronecker(7, seed=1).to("dask", client=two_workers)


def same_vector(ours, theirs):
    assert (ours.size, ours.nvals, ours.dtype) == (theirs.size, theirs.nvals, theirs.dtype)
    for x, y in zip(ours.to_coo(), theirs.to_coo(), strict=True):
        np.testing.assert_array_equal(x, y)


# ---- results


def test_facts_of_the_graph(pair):
    G, H = pair
    assert (H.n, H.nedges, H.kind, H.dtype) == (G.n, G.nedges, G.kind, G.dtype)
    assert "2 ranks" in repr(H)


def test_algorithms(pair):
    G, H = pair
    level, parent = gl.bfs(H, 0)
    same_vector(level, gl.bfs_levels(G, 0))
    expected = gl.bfs(G, 0)
    np.testing.assert_array_equal(parent.to_coo()[0], expected.parent.to_coo()[0])
    same_vector(gl.sssp_distances(H, 0), gl.sssp_distances(G, 0))
    same_vector(gl.connected_components(H), gl.connected_components(G))
    ours, theirs = gl.pagerank(H), gl.pagerank(G)
    assert ours.iterations == theirs.iterations
    np.testing.assert_allclose(ours.rank.to_dense(), theirs.rank.to_dense(), rtol=1e-12)
    if G.kind == "undirected":
        assert gl.triangle_count(H) == gl.triangle_count(G)
        forest, expected = gl.minimum_spanning_forest(H), gl.minimum_spanning_forest(G)
        assert forest.weight == expected.weight
        same_vector(forest.component, expected.component)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("name", algorithms())
def test_every_algorithm(two_workers, name, kind):
    G, function = tiny(kind), algorithms()[name]
    H = G.to("dask", client=two_workers)
    assert_equal(outcome(function, H), outcome(function, G))


def test_arguments_that_are_results(pair):
    G, H = pair
    communities = gl.connected_components(H)
    assert gl.modularity(H, communities) == pytest.approx(
        gl.modularity(G, gl.connected_components(G))
    )


def test_function_of_the_user(pair):
    G, H = pair

    def two_steps(G, source):
        x = G.vector("BOOL")
        x[source] << True
        x << x.vxm(G.A, gb.semiring.any_pair)
        x << x.vxm(G.A, gb.semiring.any_pair)
        return x, G.out_degree, x.nvals

    reached, degree, count = H.run(two_steps, 3)
    expected, expected_degree, expected_count = two_steps(G, 3)
    same_vector(reached, expected)
    same_vector(degree, expected_degree)
    assert count == expected_count


def test_to_parquet(pair, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    G, H = pair
    gl.bfs_levels(H, 0).to_parquet(tmp_path / "levels")
    assert len(list((tmp_path / "levels").iterdir())) == 2
    with pytest.raises(InvalidValue, match="has files already") as caught:
        gl.bfs_levels(H, 0).to_parquet(tmp_path / "levels")
    assert "raised on rank 0 of 2" in caught.value.__notes__[-1]
    table = parquet.read_table(tmp_path / "levels")
    indices, values = (column.to_numpy() for column in table.columns)
    for x, y in zip(gl.bfs_levels(G, 0).to_coo(), (indices, values), strict=True):
        np.testing.assert_array_equal(x, y)


def test_constructor(two_workers):
    A = random_graph(20, 60, kind="undirected", dtype="int64").A
    H = gl.Graph(A, kind="undirected", engine="dask", client=two_workers)
    assert (H.n, H.kind) == (20, "undirected")
    rows, columns, values = H.run(lambda G: G.A).to_coo()
    assert gb.Matrix.from_coo(rows, columns, values, nrows=20, ncols=20).isequal(A)


def test_graph_in_many_parts(two_workers, monkeypatch):
    monkeypatch.setattr(client_module, "PART", 50)
    for kind in ("directed", "undirected"):
        G = random_graph(60, 300, kind=kind, dtype="int64")
        rows, columns, values = G.to("dask", client=two_workers).run(lambda G: G.A).to_coo()
        assert gb.Matrix.from_coo(rows, columns, values, nrows=60, ncols=60).isequal(G.A)


@pytest.mark.parametrize(
    "suffix", [".parquet", ".npz", pytest.param(".wel", marks=pytest.mark.thorough)]
)
def test_read(two_workers, tmp_path, suffix):
    pytest.importorskip("pyarrow")
    G = random_graph(40, 200, kind="undirected", dtype="int64")
    gl.write(tmp_path / f"graph{suffix}", G)
    path = tmp_path / f"graph{suffix}"
    H = gl.read(path if suffix == ".npz" else tmp_path, client=two_workers)
    assert (H.n, H.nedges, H.kind, H.dtype) == (G.n, G.nedges, G.kind, G.dtype)
    same_vector(gl.connected_components(H), gl.connected_components(G))


# ---- refusals and errors, after which the ranks go on


def test_refusal_of_all_ranks(H):
    with pytest.raises(InvalidIndex, match="source=1000") as caught:
        gl.bfs(H, 1000)
    assert not hasattr(caught.value, "__notes__")
    assert gl.bfs(H, 0).level.nvals > 1


def test_error_of_one_rank_names_it(H):
    def fail(G):
        if G.A.layout.communicator.rank == 1:
            raise ZeroDivisionError("on one rank alone")
        return G.out_degree.nvals

    with pytest.raises(ZeroDivisionError, match="on one rank alone") as caught:
        H.run(fail)
    *_, note = caught.value.__notes__
    assert note.startswith("raised on rank 1 of 2")
    assert any("in fail" in text for text in caught.value.__notes__)  # its traceback
    assert gl.bfs(H, 0).level.nvals > 1


class Unpicklable(Exception):
    def __reduce__(self):
        raise TypeError("not this one")


def test_error_that_cannot_be_sent(H):
    def fail(G):
        if G.A.layout.communicator.rank == 1:
            raise Unpicklable("on one rank alone")

    with pytest.raises(RemoteError, match="Unpicklable: on one rank alone"):
        H.run(fail)
    assert gl.bfs(H, 0).level.nvals > 1


def test_memory_of_one_rank(H):
    def fail(G):
        def work():
            if G.A.layout.communicator.rank == 0:
                raise MemoryError("no room for the block")

        G.A.layout.communicator.guarded("product", work)
        return G.out_degree.nvals

    with pytest.raises(MemoryError, match="no room") as caught:
        H.run(fail)
    assert any("raised on rank 0 of 2" in text for text in caught.value.__notes__)
    assert gl.bfs(H, 0).level.nvals > 1


def test_the_limit_of_workers_is_that_of_the_ranks(H):
    def available(G):
        return gl.ranks.available()

    assert H.run(available) < 1 << 30


class LoadsOnOneRank:
    """An argument that can be loaded in the first worker that tries, and in no other."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (self.path, "x")


def test_argument_that_one_rank_cannot_load(H, tmp_path):
    with pytest.raises(FileExistsError) as caught:
        H.run(lambda G, x: (x, G.out_degree.nvals), LoadsOnOneRank(str(tmp_path / "file")))
    assert any("raised on rank" in text for text in caught.value.__notes__)
    assert gl.bfs(H, 0).level.nvals > 1


def test_result_that_cannot_be_sent(H):
    with pytest.raises(DomainMismatch, match="cannot be sent"):
        H.run(lambda G: threading.Lock())
    assert gl.bfs(H, 0).level.nvals > 1


def test_graph_that_does_not_fit(two_workers, monkeypatch):
    G = random_graph(10, 20)
    monkeypatch.setattr(client_module, "INDEX", 1 << 40)
    with pytest.raises(OutOfMemory, match="the block of rank"):
        G.to("dask", client=two_workers)


def test_parts_of_a_call_that_fails_are_forgotten(H, two_workers, monkeypatch):
    def fail(member, name, cut):
        raise ZeroDivisionError

    monkeypatch.setattr(client_module, "_join", fail)
    with pytest.raises(ZeroDivisionError):
        random_graph(10, 20).to("dask", client=two_workers)
    address, name = H.processes.workers[0], H.processes._group

    def parts(dask_worker):
        from graphla.ranks.processes.dask import worker

        return len(worker._groups[address, name].member.parts)

    assert two_workers.run(parts, workers=[address])[address] == 0


def test_arguments_of_their_own(H):
    def double(member, x):
        return member.ranks.rank, 2 * x

    assert H.processes.run_each(double, [(1,), (2,)]) == [(0, 2), (1, 4)]


def test_function_that_exits(H):
    with pytest.raises(InvalidCall, match="SystemExit"):
        H.run(lambda G: sys.exit(3))
    assert gl.bfs(H, 0).level.nvals > 1


def test_ranks_that_differ(H):
    def differ(G):
        if G.A.layout.communicator.rank:
            return G.out_degree.reduce().new().value
        return G.out_degree.nvals

    with pytest.raises(DivergedRanks, match="rank 1"):
        H.run(differ)
    assert gl.bfs(H, 0).level.nvals > 1


def test_result_of_a_failed_iteration(H):
    with pytest.raises(ConvergenceFailure) as caught:
        gl.pagerank(H, tol=1e-15, max_iter=2)
    assert caught.value.result.to_dense().sum() == pytest.approx(1)


def test_error_of_a_file_names_its_line(two_workers, tmp_path):
    (tmp_path / "graph.el").write_text("0 1\n" * 50 + "0 x\n" + "1 2\n" * 50)
    with pytest.raises(ReadError) as caught:
        gl.read(tmp_path / "graph.el", client=two_workers)
    assert caught.value.line == 51


def test_refused_arguments(H, two_workers, monkeypatch):
    G = random_graph(10, 20)
    with pytest.raises(InvalidCall, match="client="):
        G.to("dask")
    with pytest.raises(InvalidCall, match="client="):
        G.to("cpu", client=two_workers)
    with pytest.raises(InvalidCall, match="engine='dask'"):
        gl.Graph(G.A, client=two_workers)
    with pytest.raises(DomainMismatch, match="not str"):
        G.to("dask", client="tcp://somewhere")
    with pytest.raises(NotSupported):
        gl.native.bfs(H, 0)
    monkeypatch.setattr(client_module.graphla, "__version__", "0.0")
    monkeypatch.setattr(client_module, "_groups", {})
    with pytest.raises(EngineUnavailable, match=r"graphla 0\.0 is here"):
        G.to("dask", client=two_workers)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingPackage, match=r"graphla\[dask\]"):
        G.to("dask", client=two_workers)


def test_objects_of_two_groups(H, two_workers, monkeypatch):
    monkeypatch.setattr(client_module, "_groups", {})
    other = gl.generate.path(128).to("dask", client=two_workers)
    with pytest.raises(EngineMismatch, match="two groups"):
        gl.modularity(H, gl.connected_components(other))


def test_closed_ranks(two_workers, monkeypatch):
    monkeypatch.setattr(client_module, "_groups", {})
    H = gl.generate.path(5).to("dask", client=two_workers)
    H.processes.close()
    H.processes.close()
    with pytest.raises(RankFailure, match="closed"):
        gl.bfs(H, 0)


# ---- ranks that are lost


def test_killed_worker_in_a_call(H, two_workers):
    def wait_and_end(G):
        communicator = G.A.layout.communicator
        if communicator.rank == 1:
            time.sleep(0.2)
            os.kill(os.getpid(), signal.SIGKILL)
        communicator.all("barrier", True)

    begin = time.monotonic()
    with pytest.raises(RankLost, match=r"rank 1 on .* barrier") as caught:
        H.run(wait_and_end)
    assert time.monotonic() - begin < SECONDS
    assert (caught.value.rank, caught.value.host) == (1, os.uname().nodename)
    with pytest.raises(RankLost):
        gl.bfs(H, 0)
    two_workers.wait_for_workers(2, timeout=60)
    assert gl.bfs(gl.generate.path(9).to("dask", client=two_workers), 0).level.nvals == 9


@pytest.mark.thorough
def test_killed_worker_between_calls(H, two_workers):
    pid = two_workers.run(os.getpid)[H.processes.workers[0]]
    os.kill(pid, signal.SIGKILL)
    begin = time.monotonic()
    with pytest.raises(RankLost, match="rank 0"):
        search_until(H, begin + SECONDS)
    with pytest.raises(RankLost):
        gl.bfs(H, 0)


def search_until(H, end):
    while time.monotonic() < end:
        gl.bfs(H, 0)
