"""Ranks that are processes on one network: a TCP connection between any two of them.

A message is a header of two words, the kind and the number of bytes, and its content, which is
received into the array that waits for it. All messages of a collective are sent and received at
once, so no order of the ranks can block. A rank that fails sends the reason to the others and
closes its connections; the system does the latter for a process that is killed, and keep-alive
probes for a machine that is gone.
"""

from __future__ import annotations

import hmac
import pickle
import secrets
import select
import socket
import struct
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from graphla.errors import RankFailure, RankLost
from graphla.ranks.collectives.communicator import Communicator, ending_group, picklable

HEADER = struct.Struct("<qq")  # kind, bytes of content
DATA, FAILURE = 0, 1  # kinds
TOKEN = 32  # bytes
IDENTITY = struct.Struct(f"<{TOKEN}sq")  # token, rank
CONNECT_SECONDS = 30
IDENTIFY_SECONDS = 5  # that a new connection has to show the token
FAILURE_MESSAGE_SECONDS = 1  # for which a failing rank waits until others take its message
MAX_FAILURE = 1 << 24  # bytes of a pickled error
KEEP_ALIVE = {"TCP_KEEPIDLE": 3, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 4}  # 7 seconds
UNACKNOWLEDGED = 7_000  # milliseconds that sent bytes may stay unacknowledged
BUFFER = 1 << 22  # bytes that the system may keep of a connection


class Address(NamedTuple):
    """Where a rank listens."""

    host: str
    port: int


class Listener:
    """A rank before it is connected: it listens, and its address is sent to the others.

    Parameters
    ----------
    host : str
        The address of a network interface of this machine that the other ranks can reach.
    """

    def __init__(self, host: str) -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._socket = socket.create_server((host, 0), family=family)
        self.address = Address(host, self._socket.getsockname()[1])

    def connect(
        self, rank: int, addresses: Sequence[Address], token: bytes
    ) -> dict[int, socket.socket]:
        """Return connections to all other ranks, which do the same.

        Parameters
        ----------
        rank : int
            The number of this rank.
        addresses : sequence of Address
            Those of all ranks, in their order.
        token : bytes
            A secret of the ranks (:func:`new_token`): a connection without it is closed.

        Raises
        ------
        RankLost
            A rank cannot be reached, or does not answer.
        """
        deadline = time.monotonic() + CONNECT_SECONDS
        found: dict[int, socket.socket] = {}
        identity = IDENTITY.pack(token, rank)
        try:
            for other in range(rank):
                try:
                    found[other] = socket.create_connection(addresses[other], CONNECT_SECONDS)
                    found[other].sendall(identity)
                except OSError as error:
                    raise RankLost(other, addresses[other].host, f"connect ({error})") from None
            while len(found) < len(addresses) - 1:
                self._accept(rank, addresses, token, found, deadline)
        except BaseException:
            for connection in found.values():
                connection.close()
            raise
        finally:
            self._socket.close()
        return found

    def _accept(
        self, rank: int, addresses: Sequence[Address], token: bytes,
        found: dict[int, socket.socket], deadline: float,
    ) -> None:  # fmt: skip
        """Add a connection of a rank with a higher number."""
        missing = next(r for r in range(rank + 1, len(addresses)) if r not in found)
        try:
            self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
            connection, _ = self._socket.accept()
            connection.settimeout(IDENTIFY_SECONDS)
        except OSError:
            raise RankLost(missing, addresses[missing].host, "connect") from None
        with suppress(OSError, struct.error):
            theirs, other = IDENTITY.unpack(_received(connection, IDENTITY.size))
            known = hmac.compare_digest(theirs, token)
            if known and rank < other < len(addresses) and other not in found:
                found[other] = connection
                return
        connection.close()

    def close(self) -> None:
        """Stop to listen."""
        self._socket.close()


class TCPCommunicator(Communicator):
    """A rank with a connection to each other one.

    Parameters
    ----------
    rank : int
    connections : dict of int to socket
        Those to the other ranks.
    hosts : sequence of str
        The names of the machines of all ranks, for errors.
    """

    def __init__(
        self, rank: int, connections: dict[int, socket.socket], hosts: Sequence[str], *,
        check_calls: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(rank, len(hosts), check_calls=check_calls)
        self.hosts = list(hosts)
        self._connections = connections
        self._sends: dict[int, _Send] = {}  # messages that are not complete, by rank
        for connection in connections.values():
            _configure(connection)

    def _allgather_words(self, words: Any) -> Any:
        out = np.empty((self.size, words.size), np.int64)
        out[self.rank] = words
        content = [_view(np.ascontiguousarray(words))]
        self._swap(
            dict.fromkeys(self._connections, content),
            {other: [_view(out[other])] for other in self._connections},
        )
        return out

    def _allgather_bytes(self, content: Any, counts: Any, out: Any) -> None:
        self._allgather_columns([content], [counts], [out])

    def _allgather_columns(
        self, columns: Sequence[Any], lengths: Sequence[Any], out: Sequence[Any]
    ) -> None:
        parts = [np.split(whole, np.cumsum(n)[:-1]) for whole, n in zip(out, lengths, strict=True)]
        for column, of_ranks in zip(columns, parts, strict=True):
            of_ranks[self.rank][:] = column
        content = [_view(column) for column in columns]
        self._swap(
            dict.fromkeys(self._connections, content),
            {r: [_view(of_ranks[r]) for of_ranks in parts] for r in self._connections},
        )

    def _alltoall_columns(self, columns: Sequence[Any], counts: Any, out: Sequence[Any]) -> None:
        outgoing = [np.split(x, np.cumsum(counts[self.rank])[:-1]) for x in columns]
        incoming = [np.split(x, np.cumsum(counts[:, self.rank])[:-1]) for x in out]
        for sent, received in zip(outgoing, incoming, strict=True):
            received[self.rank][:] = sent[self.rank]
        self._swap(
            {r: [_view(of_ranks[r]) for of_ranks in outgoing] for r in self._connections},
            {r: [_view(of_ranks[r]) for of_ranks in incoming] for r in self._connections},
        )

    def end_all_ranks(self, error: BaseException) -> None:
        """Send the other ranks the reason why this one cannot go on, and close the connections.

        A rank that has part of a message of this one would read the reason as its rest: that
        connection is only closed.
        """
        content = pickle.dumps(picklable(error))
        message = HEADER.pack(FAILURE, len(content)) + content
        for rank, connection in self._connections.items():
            if rank in self._sends:
                continue
            with suppress(OSError):
                connection.settimeout(FAILURE_MESSAGE_SECONDS)
                connection.sendall(message)
        self.close()

    def close(self) -> None:
        """Close the connections: the other ranks raise RankLost if they wait for this one."""
        for connection in self._connections.values():
            connection.close()

    def _swap(
        self, outgoing: dict[int, list[memoryview]], incoming: dict[int, list[memoryview]]
    ) -> None:
        """Send a message to every other rank and receive one of each, of known length, in parts."""
        sends = {r: _Send(self._connections[r], parts) for r, parts in outgoing.items()}
        self._sends = sends
        receives = {r: _Receive(self._connections[r], places) for r, places in incoming.items()}
        for rank in list(sends):
            self._advance(rank, sends)
        for rank in list(receives):
            self._advance(rank, receives)
        if not sends and not receives:
            return
        poll = select.poll()
        rank_of = {}
        for rank, connection in self._connections.items():
            if events := _events(rank, sends, receives):
                rank_of[connection.fileno()] = rank
                poll.register(connection, events)
        while rank_of:
            for number, event in poll.poll():
                rank = rank_of[number]
                if event & ~select.POLLOUT:
                    self._advance(rank, receives)
                if event & ~select.POLLIN:
                    self._advance(rank, sends)
                if events := _events(rank, sends, receives):
                    poll.modify(number, events)
                else:
                    poll.unregister(number)
                    del rank_of[number]

    def _advance(self, rank: int, messages: dict[int, Any]) -> None:
        """Send, or receive, as much as is possible now; drop a message that is complete."""
        if rank not in messages:
            return
        try:
            done = messages[rank].advance()
        except _FailureMessage as message:
            raise self.failure_of(rank, pickle.loads(message.content)) from None
        except OSError as error:
            if isinstance(messages[rank], _Send):
                self._read_failure(rank)
            raise ending_group(RankLost(rank, self.hosts[rank], self.step)) from error
        if done:
            del messages[rank]

    def _read_failure(self, rank: int) -> None:
        """Raise what another rank said before it closed the connection, if it did."""
        try:
            _Receive(self._connections[rank], []).advance()
        except _FailureMessage as message:
            raise self.failure_of(rank, pickle.loads(message.content)) from None
        except OSError:
            return

    def failure_of(self, rank: int, error: BaseException) -> BaseException:
        """Return the error that ranks raise when one has ended because of an error."""
        if isinstance(error, RankFailure):
            return ending_group(error)
        failure = RankFailure(
            f"rank {rank} of {self.size} on {self.hosts[rank]} ended in {self.step!r}: "
            f"{type(error).__name__}: {error}"
        )
        failure.__cause__ = error
        return ending_group(failure)


class _Send:
    """A message on its way out."""

    def __init__(self, connection: socket.socket, parts: list[memoryview]) -> None:
        self._connection = connection
        length = sum(map(len, parts))
        self._parts = [memoryview(HEADER.pack(DATA, length)), *parts]

    def advance(self) -> bool:
        """Send what the connection takes now; return whether that was all."""
        while self._parts:
            try:
                count = self._connection.sendmsg(self._parts)
            except BlockingIOError:
                return False
            while self._parts and count >= len(self._parts[0]):
                count -= len(self._parts.pop(0))
            if self._parts:
                self._parts[0] = self._parts[0][count:]
        return True


class _Receive:
    """A message that is expected."""

    def __init__(self, connection: socket.socket, places: list[memoryview]) -> None:
        self._connection = connection
        self._header = memoryview(bytearray(HEADER.size))
        self._kind = DATA
        self._places, self._rest = places, [self._header]
        self._content = bytearray()
        self._in_header = True

    def advance(self) -> bool:
        """Receive what is there now; return whether that was all."""
        while True:
            while self._rest:
                if not len(self._rest[0]):
                    self._rest.pop(0)
                    continue
                try:
                    count = self._connection.recv_into(self._rest[0])
                except BlockingIOError:
                    return False
                if not count:
                    raise ConnectionResetError("the connection was closed")
                self._rest[0] = self._rest[0][count:]
            if not self._in_header:
                break
            self._begin()
        if self._kind == FAILURE:
            raise _FailureMessage(self._content)
        return True

    def _begin(self) -> None:
        """Go on to the content."""
        self._in_header = False
        self._kind, length = HEADER.unpack(self._header)
        expected = sum(map(len, self._places))
        if self._kind == DATA and length == expected:
            self._rest = list(self._places)
        elif self._kind == FAILURE and length <= MAX_FAILURE:
            self._content = bytearray(length)
            self._rest = [memoryview(self._content)]
        else:
            raise ConnectionAbortedError(f"{length} bytes where {expected} were expected")


class _FailureMessage(Exception):
    """Another rank said why it cannot go on."""

    def __init__(self, content: bytearray) -> None:
        # An argument, so that it can be pickled: tblib, where it is installed, pickles an error
        # with its context, which this is.
        super().__init__(content)
        self.content = content


def new_token() -> bytes:
    """Return a secret of one group of ranks."""
    return secrets.token_bytes(TOKEN)


def _configure(connection: socket.socket) -> None:
    """Let small messages go at once, and a machine that is gone be found in seconds."""
    connection.setblocking(False)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    options = {**KEEP_ALIVE, "TCP_USER_TIMEOUT": UNACKNOWLEDGED}
    for name, value in options.items():
        if hasattr(socket, name):  # not on every system
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        connection.setsockopt(socket.SOL_SOCKET, option, BUFFER)


def _received(connection: socket.socket, length: int) -> bytes:
    """Return this many bytes, or fewer if the connection ends."""
    content = b""
    while len(content) < length and (part := connection.recv(length - len(content))):
        content += part
    return content


def _events(rank: int, sends: dict[int, Any], receives: dict[int, Any]) -> int:
    return (select.POLLOUT if rank in sends else 0) | (select.POLLIN if rank in receives else 0)


def _view(array: Any) -> memoryview:
    """Return the bytes of an array."""
    return memoryview(array.reshape(-1).view(np.uint8))
