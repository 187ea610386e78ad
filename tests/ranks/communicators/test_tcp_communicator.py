"""Collectives over TCP, between threads of one process, as the in-process ranks have them."""

from __future__ import annotations

import pickle
import socket
import threading

import numpy as np
import pytest

import graphla as gl
from graphla.errors import InvalidIndex, RankFailure, RankLost
from graphla.ranks import Ranks
from graphla.ranks.collectives.communicator import split
from graphla.ranks.communicators import tcp_communicator
from graphla.ranks.communicators.tcp_communicator import (
    Address,
    Listener,
    TCPCommunicator,
    new_token,
)
from tests.ranks.distributed_objects import check_exchange

LOOPBACK = "127.0.0.1"


def on_ranks(size, function):
    """Run a function on ranks that are threads; return its results, or errors, by rank."""
    listeners = [Listener(LOOPBACK) for _ in range(size)]
    addresses = [listener.address for listener in listeners]
    token = new_token()
    results = [None] * size

    def run(rank):
        communicator = None
        try:
            connections = listeners[rank].connect(rank, addresses, token)
            communicator = TCPCommunicator(rank, connections, [LOOPBACK] * size)
            results[rank] = function(communicator)
        except BaseException as error:
            results[rank] = error
            if communicator is not None and isinstance(error, RankFailure):
                communicator.end_all_ranks(error)
        finally:
            if communicator is not None:
                communicator.close()

    threads = [threading.Thread(target=run, args=(rank,), daemon=True) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.parametrize("size", [1, 2, 5])
def test_collectives(size):
    def run(communicator):
        rank = communicator.rank
        words = communicator.gather_words("words", rank, -rank)
        whole, lengths, _ = communicator.gather_arrays(
            "arrays", 0, lambda _: (np.full(rank, rank, np.int32), "list")
        )
        counts = np.arange(size) + rank  # for each other rank
        sent = np.repeat(np.arange(size), counts)
        received, arrived = communicator.exchange("exchange", counts, [sent, sent * 0.5])
        return (
            words.first.tolist(), words.second.tolist(), whole.tolist(), lengths.tolist(),
            [x.tolist() for x in (*received, arrived)],
            communicator.gather_objects("objects", "x" * rank),
            communicator.broadcast("object", {"rank": rank}, size - 1),
        )  # fmt: skip

    for rank, found in enumerate(on_ranks(size, run)):
        ranks = list(range(size))
        assert found[:4] == (
            ranks, [-r for r in ranks], [r for r in ranks for _ in range(r)], ranks,
        )  # fmt: skip
        sent = rank * size + sum(ranks)
        assert found[4] == [[rank] * sent, [rank * 0.5] * sent, [rank + r for r in ranks]]
        assert found[5] == ["x" * r for r in ranks]
        assert found[6] == {"rank": size - 1}


def test_columns():
    assert on_ranks(3, check_exchange) == [None] * 3


def test_more_bytes_than_the_system_buffers(monkeypatch):
    """All ranks send before any receives."""
    monkeypatch.setattr(tcp_communicator, "BUFFER", 1 << 14)

    def run(communicator):
        content = np.full(1_000_000, communicator.rank)
        counts = [400_000, 500_000, 100_000]
        (received,), arrived = communicator.exchange("exchange", counts, [content])
        return [int(part.sum()) for part in split(received, arrived)]

    counts = [400_000, 500_000, 100_000]
    assert on_ranks(3, run) == [[0, counts[r], 2 * counts[r]] for r in range(3)]


def test_an_algorithm():
    G = gl.generate.kronecker(8, seed=1)

    def run(communicator):
        H = Ranks(communicator).distribute(G if communicator.rank == 1 else None)
        with pytest.raises(InvalidIndex):
            gl.bfs(H, G.n)
        return gl.bfs_levels(H, 0).gathered(), gl.triangle_count(H)

    for level, triangles in on_ranks(3, run):
        assert level.isequal(gl.bfs_levels(G, 0))
        assert triangles == gl.triangle_count(G)


def test_a_rank_that_has_ended_is_named():
    def run(communicator):
        if communicator.rank == 1:
            communicator.close()
            return None
        return communicator.all("barrier", True)

    found = on_ranks(3, run)
    for rank in (0, 2):
        assert isinstance(found[rank], RankLost)
        assert (found[rank].rank, found[rank].host, found[rank].step) == (1, LOOPBACK, "barrier")


def test_a_rank_that_cannot_go_on_says_why():
    def run(communicator):
        if communicator.rank == 1:
            communicator._alltoall_columns = refuse
        communicator.exchange("extract", [1, 1, 1], [np.arange(3)])

    errors = on_ranks(3, run)
    assert isinstance(errors[1], MemoryError)
    for error in errors[::2]:
        assert isinstance(error, RankFailure)
        assert "rank 1 of 3" in str(error)
        assert "no memory for what comes" in str(error)


def refuse(*arguments):
    raise MemoryError("no memory for what comes")


def test_a_failure_can_be_pickled_with_its_context():
    """As tblib does, which `import dask.multiprocessing` installs: it was a RemoteError then."""
    message = tcp_communicator._FailureMessage(bytearray(b"why"))
    assert pickle.loads(pickle.dumps(message)).content == b"why"


def test_a_text_is_not_taken_for_the_rest_of_a_message():
    def run(communicator):
        if communicator.rank == 1:
            communicator._connections[0].send(tcp_communicator.HEADER.pack(0, 32))
            communicator._sends = {0: "a message of which only the header was sent"}
            raise RankFailure("this rank cannot go on")
        return communicator._allgather_words(np.zeros(4, np.int64))

    waiting, other = on_ranks(3, run)[::2]
    assert isinstance(waiting, RankLost)
    assert waiting.rank in (1, 2)
    assert isinstance(other, RankFailure)


def test_a_message_of_another_length_is_refused():
    def run(communicator):
        words = np.zeros(1 + communicator.rank, np.int64)
        return communicator._allgather_words(words)

    assert all(isinstance(error, RankFailure) for error in on_ranks(2, run))


def test_connections_without_the_token_are_closed():
    listener, other = Listener(LOOPBACK), Listener(LOOPBACK)
    addresses = [listener.address, other.address]
    token, results = new_token(), []
    strangers = [socket.create_connection(listener.address) for _ in range(2)]
    strangers[0].sendall(bytes(tcp_communicator.IDENTITY.size))
    strangers[1].close()
    thread = threading.Thread(
        target=lambda: results.append(listener.connect(0, addresses, token)), daemon=True
    )
    thread.start()
    mine = other.connect(1, addresses, token)
    thread.join()
    assert strangers[0].recv(1) == b""  # closed
    assert set(results[0]) == {1}
    for connection in (*mine.values(), *results[0].values(), strangers[0]):
        connection.close()


def test_ranks_that_do_not_answer(monkeypatch):
    monkeypatch.setattr(tcp_communicator, "CONNECT_SECONDS", 0.1)
    listener = Listener(LOOPBACK)
    with pytest.raises(RankLost, match="rank 1 on there") as caught:
        listener.connect(0, [listener.address, Address("there", 1)], new_token())
    assert caught.value.step == "connect"
    closed = Listener(LOOPBACK)
    closed.close()
    with pytest.raises(RankLost, match="rank 0"):
        Listener(LOOPBACK).connect(1, [closed.address, closed.address], new_token())
