"""The workers' side, in workers that are threads of this process."""

from __future__ import annotations

import logging
import sys

import pytest

import graphla as gl
from graphla.errors import (
    DomainMismatch,
    InvalidCall,
    InvalidIndex,
    InvalidValue,
    NotSupported,
    RankFailure,
    RankLost,
)
from graphla.ranks.processes.dask import worker
from tests.graphs import random_graph

KEPT = {}  # errors by kind, in the workers, which are threads of this process


@pytest.fixture
def threads():
    """Return a client of three workers; SuiteSparse has as many threads as before afterwards."""
    distributed = pytest.importorskip("distributed")
    before = gl.set_threads(1)
    with (
        distributed.LocalCluster(
            n_workers=3, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):  # fmt: skip
        yield client
    gl.set_threads(before)
    for group in list(worker._groups.values()):
        group.close()


def member_of(H, rank):
    """Return what a rank keeps."""
    return worker._groups[H.processes.workers[rank], H.processes._group].member


def test_calls_and_errors(threads):
    G = random_graph(30, 90, kind="undirected", dtype="int64")
    H = G.to("dask", client=threads)
    level = gl.bfs_levels(H, 0)
    assert level.to_dense(fill_value=-1).tolist() == gl.bfs_levels(G, 0).to_dense(-1).tolist()
    with pytest.raises(InvalidIndex, match="source=30"):
        gl.bfs(H, 30)

    def fail_on_rank_2(G):
        if G.A.layout.communicator.rank == 2:
            raise ZeroDivisionError("on one rank")

    with pytest.raises(ZeroDivisionError, match="on one rank") as caught:
        H.run(fail_on_rank_2)
    assert caught.value.__notes__[-1].startswith("raised on rank 2 of 3")
    with pytest.raises(InvalidCall, match="SystemExit"):
        H.run(lambda G: sys.exit())
    assert gl.triangle_count(H) == gl.triangle_count(G)


@pytest.mark.parametrize("kind", [RankFailure, ValueError])
def test_error_that_a_function_raises_again(threads, kind):
    """It is raised on all ranks, each time; the group of ranks stays."""
    G = gl.generate.path(9)
    H, kept = G.to("dask", client=threads), kind("kept by the function")

    def fail_on_rank_1(G, error):
        if G.A.layout.communicator.rank == 1:
            KEPT.setdefault(kind, error)
            raise KEPT[kind]
        return G.out_degree.nvals

    try:
        for _ in range(2):
            with pytest.raises(kind, match="kept by the function") as caught:
                H.run(fail_on_rank_1, kept)
            assert caught.value.__notes__[-1].startswith("raised on rank 1 of 3")
    finally:
        KEPT.clear()
    assert gl.bfs(H, 0).level.nvals == 9


def test_objects_without_handles_are_forgotten(threads):
    H = gl.generate.path(9).to("dask", client=threads)
    level = gl.bfs_levels(H, 0)
    kept = len(member_of(H, 1).objects)
    del level
    gl.triangle_count(H)
    assert [len(member_of(H, rank).objects) for rank in range(3)] == [kept - 1] * 3
    assert [member_of(H, rank).parts for rank in range(3)] == [{}] * 3


def test_memory_limit_of_a_worker(threads):
    H = gl.generate.path(9).to("dask", client=threads)
    communicator = member_of(H, 0).ranks.communicator
    communicator.memory_limit = None
    assert communicator.limited_memory(123) == 123
    communicator.memory_limit = 1 << 60
    assert communicator.limited_memory(123) == 123
    communicator.memory_limit = 1
    assert communicator.limited_memory(123) == 0


def test_error_between_header_and_data(threads):
    """The others already wait for the data: the ranks end, and the cause is raised."""
    H = gl.generate.path(9).to("dask", client=threads)

    def fail(*arguments):
        raise MemoryError("no memory for what comes")

    member_of(H, 1).ranks.communicator._allgather_columns = fail
    with pytest.raises(RankFailure, match=r"rank 1 of 3 .* MemoryError: no memory for what comes"):
        gl.pagerank(H)
    with pytest.raises(RankFailure):
        gl.bfs(H, 0)


def test_rank_whose_connections_close(threads):
    H = gl.generate.path(9).to("dask", client=threads)
    for connection in member_of(H, 1).ranks.communicator._connections.values():
        connection.shutdown(2)
    with pytest.raises(RankLost, match=r"rank \d on .* has ended"):
        gl.bfs(H, 0)
    with pytest.raises(RankLost):
        gl.bfs(H, 0)
    again = gl.generate.path(9).to("dask", client=threads)
    assert gl.bfs(again, 0).level.nvals == 9


@pytest.mark.parametrize(
    ("workers", "error"), [({"tls://10.0.0.1:80": 1}, NotSupported), ({}, InvalidValue)]
)
def test_clusters_that_are_refused(threads, monkeypatch, workers, error):
    monkeypatch.setattr(threads, "nthreads", lambda: workers)
    with pytest.raises(error, match="TLS" if workers else "no worker yet"):
        gl.generate.path(9).to("dask", client=threads)


def test_client_that_does_not_wait_is_refused(threads):
    G = gl.generate.path(9)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(threads), "asynchronous", True)
        with pytest.raises(DomainMismatch, match="asynchronous"):
            G.to("dask", client=threads)


def test_client_that_was_closed(threads):
    H = gl.generate.path(9).to("dask", client=threads)
    threads.close()
    with pytest.raises(RankFailure, match="no connection to its cluster any more: closed"):
        gl.bfs(H, 0)


def test_cluster_that_is_gone(threads, monkeypatch):
    H = gl.generate.path(9).to("dask", client=threads)

    def fail(*arguments, **options):
        raise OSError("the scheduler has gone")

    monkeypatch.setattr(threads, "run", fail)
    with pytest.raises(RankFailure, match="the scheduler has gone"):
        gl.bfs(H, 0)
    with pytest.raises(RankFailure):
        gl.bfs(H, 0)


def test_ranks_that_were_left(threads):
    H = gl.generate.path(9).to("dask", client=threads)
    threads.run(worker.leave, H.processes._group, workers=H.processes.workers[:1])
    with pytest.raises(RankFailure):
        gl.bfs(H, 0)
