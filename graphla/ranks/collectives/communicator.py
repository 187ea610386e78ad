"""Collectives between ranks: what all ranks call together, in the same order.

Every collective starts with a header of four words from each rank: a status, a fingerprint of the
call, and two words of content. So an error on one rank, or ranks that make different calls, is
known to all ranks at their next collective, and all raise. A reduction needs no more than the
header: its content is the value. Values are combined on every rank in the order of the ranks, so
all ranks get the same bits.

Data are columns: arrays of one dimension, each of its own dtype. Each column is sent from its own
array and received into another one, which holds the entries of all ranks in the order of the ranks.
"""

from __future__ import annotations

import pickle
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, NamedTuple, NoReturn, TypeVar
from zlib import crc32

import numpy as np

from graphla.core import tracing
from graphla.core.memory import as_device_error
from graphla.errors import DivergedRanks, RemoteError
from graphla.ranks.blocks.engine import BlockEngine, block_engine

T = TypeVar("T")

WORD = 8  # bytes
DTYPES = {np.dtype(code).num: np.dtype(code) for code in "?bBhHiIlLqQfd"}  # of values in words
COUNT_BITS = 63  # of a word that may hold counts, so that a negative word is none
MAX_TEXT = 200  # characters of the name of a call
MANY_ELEMENTS = 1 << 18  # that a collective moves: the ranks agree that all have memory for them
WORKING, FAILED = 0, 1  # status


class Heading(NamedTuple):
    """The headers of all ranks: one entry for each rank."""

    first: Any
    second: Any


class EncodedColumns(NamedTuple):
    """What a rank sends to all: columns, the lengths of each on all ranks, and their name."""

    columns: list[Any]
    lengths: list[Any]
    form: str


class Communicator(ABC):
    """A group of ranks that run the same program.

    Parameters
    ----------
    rank, size : int
        The number of this rank, and of how many.
    blocks : BlockEngine, optional
        The engine of the blocks, of whose arrays the data are. By default "cpu".
    check_calls : bool
        Whether the fingerprint of a collective covers all statements since the last one. Ranks
        that evaluate different statements then raise :class:`graphla.errors.DivergedRanks`.
    """

    def __init__(
        self,
        rank: int,
        size: int,
        *,
        blocks: BlockEngine | None = None,
        check_calls: bool = False,
    ) -> None:
        self.blocks = blocks or block_engine("cpu")
        self.rank, self.size, self.check_calls = rank, size, check_calls
        self._statements = 0  # fingerprint of the statements since the last collective
        self._names: list[str] = []  # of these statements
        self.ranks_here = size  # that share this machine's memory
        self.has_own_devices = False  # whether kernels of all ranks surely run at the same time
        self.step = "start"  # the last call, for errors
        self.workspaces: dict[str, Any] = {}  # that operations keep for their next call

    # ---- what an implementation provides

    @abstractmethod
    def _allgather_words(self, words: Any) -> Any:
        """Return the int64 arrays of all ranks as rows of one array."""

    @abstractmethod
    def _allgather_bytes(self, content: Any, counts: Any, out: Any) -> None:
        """Write the uint8 arrays of all ranks, of these lengths, one behind the other."""

    @abstractmethod
    def _alltoall_columns(self, columns: Sequence[Any], counts: Any, out: Sequence[Any]) -> None:
        """Send consecutive elements of contiguous columns to each rank, in the order of the ranks.

        Rank s sends ``counts[s, r]`` elements of each column to rank r; what comes is written to
        the arrays of `out`, in the order of the ranks. All ranks have the same counts.
        """

    def _allgather_columns(
        self, columns: Sequence[Any], lengths: Sequence[Any], out: Sequence[Any]
    ) -> None:
        """Write contiguous columns of all ranks, in the order of the ranks, to the arrays of `out`.

        ``lengths[c][r]`` is the number of elements of column c on rank r.
        """
        for column, counts, whole in zip(columns, lengths, out, strict=True):
            nbytes = counts * column.dtype.itemsize
            self._allgather_bytes(column.view(np.uint8), nbytes, whole.view(np.uint8))

    def _allgather_host_bytes(self, content: Any, counts: Any, out: Any) -> None:
        """Do the same with arrays of NumPy, where the data are on devices."""
        self._allgather_bytes(content, counts, out)

    def shared_arrays(self, use: str, nbytes: int) -> list[Any] | None:
        """Return a uint8 array of each rank that kernels of all ranks can write; all ranks call it.

        None if a rank cannot address the memory of another one's device. What an earlier call has
        returned for the same use is not to be used any more.
        """
        return None

    def limited_memory(self, share: int) -> int:
        """Return how many bytes of its share of the machine's memory this rank may take."""
        return share

    @abstractmethod
    def end_all_ranks(self, error: BaseException) -> None:
        """End the other ranks too, which wait for data that this one cannot send or take."""

    # ---- collectives

    def gather_words(self, call: str, first: int, second: int = 0) -> Heading:
        """Return two words of every rank."""
        start = time.perf_counter()
        found = self._heading(call, first, second)
        _record("word", call, 1, self.size, WORD * 2 * (self.size - 1), start)
        return found

    def gather_word_rows(self, call: str, words: Any) -> Any:
        """Return the int64 arrays of all ranks, of one length, as rows of one array.

        They have at most as many elements as there are ranks.
        """
        start = time.perf_counter()
        self._heading(call, words.size)
        found = self._allgather_words(words)
        _record("word", call, words.size, found.size, found.nbytes - words.nbytes, start)
        return found

    def sum(self, call: str, count: int) -> int:
        """Return the sum of an int of every rank."""
        return sum(self.gather_words(call, count).first.tolist())

    def all(self, call: str, flag: bool) -> bool:
        """Return whether a flag is true on every rank."""
        return bool(self.gather_words(call, int(flag)).first.all())

    def gather_values(self, call: str, value: Any) -> Any:
        """Return an array of a NumPy scalar of every rank, of one dtype of up to 8 bytes.

        None is left out.
        """
        words = (0, 0)
        if value is not None:
            bits = np.frombuffer(value.tobytes().ljust(WORD, b"\0"), np.int64)
            words = (value.dtype.num + 1, int(bits[0]))
        numbers, bits = self.gather_words(call, *words)
        types = set(numbers.tolist()) - {0}
        if len(types) > 1:
            raise agreed(DivergedRanks(f"{call}: the ranks have values of different types"))
        if not types:
            return np.empty(0)
        dtype = DTYPES[types.pop() - 1]
        return bits[numbers != 0].view(dtype)[:: WORD // dtype.itemsize]

    def gather_arrays(
        self, call: str, count: int, encode: Callable[[Any], tuple[Any, str]], flag: int = 0
    ) -> tuple[Any, Any, Heading]:
        """Return an array of every rank, one behind the other, their lengths, and the heading.

        Parameters
        ----------
        call : str
            Name of the operation, for traces.
        count, flag : int
            Two words that every rank gets before it encodes.
        encode : function
            Takes the :class:`Heading` of those words and returns this rank's array, of one dtype
            on all ranks, and the name of its form.
        """
        start = time.perf_counter()
        heading = self._heading(call, count, flag)
        content, form = self.guarded(call, lambda: encode(heading))
        lengths = self._heading(f"{call}: {form}", content.size).first
        whole = self._allgather(call, content, lengths)
        received = whole.nbytes - content.nbytes
        _record("allgather", f"{call} {form}", count, int(heading.first.sum()), received, start)
        return whole, lengths, heading

    def _allgather(self, call: str, content: Any, lengths: Any) -> Any:
        total = int(lengths.sum())
        whole = self._allocated(call, total, lambda: self.blocks.xp.empty(total, content.dtype))
        with self._others_wait():
            nbytes = lengths * content.dtype.itemsize
            self._allgather_bytes(self._bytes_of(content), nbytes, whole.view(np.uint8))
        return whole

    def _allocated(self, call: str, total: int, allocate: Callable[[], T]) -> T:
        """Return what ``allocate()`` does, for a collective that moves `total` elements.

        If there are many, all ranks raise where one of them has no memory. A failure of a short
        array ends all ranks: to agree on its success would take longer than to send it.
        """
        if total < MANY_ELEMENTS:
            with self._others_wait():
                return allocate()
        found = self.guarded(call, allocate)
        self._heading(f"{call}: allocated", 0)
        return found

    def allgather_known(self, call: str, content: Any, counts: Any, out: Any) -> None:
        """Write the uint8 arrays of all ranks to `out`; every rank knows their lengths already."""
        start = time.perf_counter()
        with self._others_wait():
            self._allgather_bytes(content, counts, out)
        total = int(counts.sum())
        _record("allgather", call, content.size, total, total - content.size, start)

    def _bytes_of(self, array: Any) -> Any:
        return self.blocks.xp.ascontiguousarray(array).view(np.uint8).reshape(-1)

    @contextmanager
    def _others_wait(self) -> Iterator[None]:
        """End all ranks if an error occurs between the header and the data of a collective."""
        try:
            yield
        except BaseException as error:
            self.end_all_ranks(error)
            marked = ending_group(error)
            if marked is error:
                raise
            raise marked from error

    def gather_columns(
        self, call: str, count: int, encode: Callable[[Any], EncodedColumns], flag: int = 0
    ) -> tuple[list[Any], Heading]:
        """Return columns with the elements of all ranks, in the order of the ranks.

        Parameters
        ----------
        call : str
            Name of the operation, for traces.
        count, flag : int
            Two words that every rank gets before it encodes, such as its number of entries.
        encode : function
            Takes the counts of all ranks and returns this one's :class:`EncodedColumns`, whose
            dtypes, lengths and form are the same on all ranks.

        Returns
        -------
        list of arrays
            The whole columns.
        Heading
            The words of all ranks.
        """
        start, xp = time.perf_counter(), self.blocks.xp
        heading = self._heading(call, count, flag)

        def encoded() -> tuple[Any, ...]:
            columns, lengths, form = encode(heading.first)
            columns = [xp.ascontiguousarray(column) for column in columns]
            whole = [xp.empty(int(n.sum()), x.dtype) for x, n in zip(columns, lengths, strict=True)]
            return columns, lengths, form, whole

        columns, lengths, form, whole = self.guarded(call, encoded)
        self._heading(f"{call}: {form}", 0)
        with self._others_wait():
            self._allgather_columns(columns, lengths, whole)
        received = sum(w.nbytes - x.nbytes for w, x in zip(whole, columns, strict=True))
        _record("allgather", f"{call} {form}", count, int(heading.first.sum()), received, start)
        return whole, heading

    def exchange(
        self, call: str, counts: Sequence[int], columns: Sequence[Any]
    ) -> tuple[list[Any], Any]:
        """Send entries to their owners.

        Parameters
        ----------
        call : str
            Name of the operation, for traces.
        counts : sequence of int
            Number of entries for each rank; they lie in the columns in the order of the ranks.
        columns : sequence of arrays
            Of equal lengths, and of the same dtypes on every rank.

        Returns
        -------
        list of arrays
            For each column the elements that all ranks have sent here, in the order of the ranks.
        array of int64
            How many entries each rank has sent.
        """
        start = time.perf_counter()
        sent = [int(count) for count in counts]
        columns = [self.blocks.xp.ascontiguousarray(column) for column in columns]
        everything = self._gather_counts(call, sent)
        arriving = everything[:, self.rank]
        total, own = int(arriving.sum()), sent[self.rank]

        def allocate() -> list[Any]:
            return [self.blocks.xp.empty(total, column.dtype) for column in columns]

        received = self._allocated(call, int(everything.sum()), allocate)
        with self._others_wait():
            self._alltoall_columns(columns, everything, received)
        width = sum(column.dtype.itemsize for column in columns)
        _record("alltoall", call, sum(sent), total, (total - own) * width, start)
        return received, arriving

    def _gather_counts(self, call: str, counts: list[int]) -> Any:
        """Return how many entries each rank (row) sends to each (column).

        The counts of a rank are in the two words of its header. If those of any rank are too large
        for that, another exchange of words follows.
        """
        half = -(-self.size // 2)
        bits = COUNT_BITS // half
        if max(counts) >> bits:
            words = [-1, -1]
        else:
            parts = counts[:half], counts[half:]
            words = [sum(n << bits * k for k, n in enumerate(part)) for part in parts]
        heading = self._heading(call, *words)
        if self.size == 2 and bits == COUNT_BITS:  # one count is one word
            return np.stack(heading, axis=1)
        if (heading.first < 0).any():
            return self._allgather_words(np.array(counts, np.int64))
        shifts, mask = bits * np.arange(half), (1 << bits) - 1
        found = np.stack(heading, axis=1)[:, :, None] >> shifts & mask
        return found.reshape(self.size, -1)[:, : self.size]

    def broadcast(self, call: str, value: Any, root: int = 0) -> Any:
        """Return the object of rank `root`; the value of other ranks is not used."""
        mine, start = self.rank == root, time.perf_counter()
        content = np.frombuffer(pickle.dumps(value), np.uint8) if mine else np.empty(0, np.uint8)
        lengths = self._heading(call, content.size).first
        whole = self._allgather_host(content, lengths)
        received = int(whole.nbytes - content.nbytes)
        _record("allgather", f"{call} object", content.size, int(whole.size), received, start)
        return value if mine else pickle.loads(whole.tobytes())

    def _allgather_host(self, content: Any, lengths: Any) -> Any:
        """Return the uint8 arrays of NumPy of all ranks, one behind the other."""
        with self._others_wait():
            whole = np.empty(int(lengths.sum()), np.uint8)
            self._allgather_host_bytes(content, lengths, whole)
        return whole

    def gather_objects(self, call: str, value: Any) -> list[Any]:
        """Return an object of every rank."""
        self._heading(call, 0)
        return self._gather_objects(value)

    # ---- errors

    def guarded(self, call: str, work: Callable[[], T]) -> T:
        """Return ``work()``; if it raises on this rank, all ranks raise.

        The other ranks raise at their next collective.
        """
        self.step = call
        if self.check_calls:
            self._names.append(call)
            self._statements = crc32(call.encode(), self._statements)
        try:
            return work()
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            if is_agreed(error) or ends_group(error):
                raise
            headers, translated = self._exchange_header(FAILED, 0, 0, 0), error
            if isinstance(error, MemoryError):
                translated = as_device_error(error, self.blocks.name, call) or error
            translated = agreed(translated)
            self._exchange_errors(headers, translated)
            if translated is not error:
                raise translated from error
            raise

    def whole_call(self, call: str, work: Callable[[], T]) -> T:
        """Return ``work()``, a whole call on the ranks; if it raises on one rank, all ranks raise.

        Unlike :meth:`guarded` it returns or raises on all ranks at once, also where one of them
        raises again, alone, an error on which the ranks had agreed before.
        """
        try:
            found = self.guarded(call, work)
            self.all("end of call", True)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            if ends_group(error):
                raise
            # The others may be in another collective of the call, or go on after an error in one:
            # this error is sent until all ranks are here.
            all_have_failed = False
            while not all_have_failed:
                headers = self._exchange_header(FAILED, 0, 0, 0)
                self._exchange_errors(headers, error)
                all_have_failed = bool(headers[:, 0].all())
            raise
        return found

    def _heading(self, call: str, first: int, second: int = 0) -> Heading:
        """Exchange headers; raise if a rank has failed, or makes another call."""
        self.step = call
        fingerprint = crc32(call.encode(), self._statements)
        headers = self._exchange_header(WORKING, fingerprint, first, second)
        if headers[:, :2].tolist() != [[WORKING, fingerprint]] * self.size:
            if headers[:, 0].any():
                self._raise_first_error(headers)
            self._raise_diverged(call)
        self._forget_statements()
        return Heading(headers[:, 2], headers[:, 3])

    def _forget_statements(self) -> None:
        self._statements = 0
        self._names.clear()

    def _exchange_header(self, *words: int) -> Any:
        return self._allgather_words(np.array(words, np.int64))

    def _exchange_errors(self, headers: Any, error: BaseException | None) -> tuple[int, Any]:
        """Send the other ranks this one's error; return the first rank that failed, and its error.

        `headers` are those of all ranks, in which at least one says that it has failed.
        """
        self._forget_statements()
        errors = self._gather_objects(picklable(error))
        rank = int(np.flatnonzero(headers[:, 0])[0])
        return rank, errors[rank]

    def _raise_first_error(self, headers: Any) -> NoReturn:
        """Raise the error of the first rank that has failed; this one has not."""
        rank, cause = self._exchange_errors(headers, None)
        cause.add_note(f"raised on rank {rank} of {self.size}")
        cause.raised_on_rank = rank
        raise agreed(cause)

    def _raise_diverged(self, call: str) -> None:
        after = f" after {', '.join(self._names)}" if self._names else ""
        calls = self._gather_objects(f"{call}{after}"[:MAX_TEXT])
        listed = "; ".join(f"rank {r}: {text}" for r, text in enumerate(calls))
        raise agreed(DivergedRanks(f"the ranks make different calls: {listed}"))

    def _gather_objects(self, value: Any) -> list[Any]:
        content = np.frombuffer(pickle.dumps(value), np.uint8)
        lengths = self._allgather_words(np.array([content.size], np.int64))[:, 0]
        parts = split(self._allgather_host(content, lengths), lengths)
        return [pickle.loads(part.tobytes()) for part in parts]


def agreed(error: BaseException) -> BaseException:
    """Mark an error that all ranks raise, and return it."""
    return _marked(error, "is_agreed_by_ranks")


def is_agreed(error: BaseException) -> bool:
    """Whether all ranks have raised an error."""
    return getattr(error, "is_agreed_by_ranks", False)


def ending_group(error: BaseException) -> BaseException:
    """Mark an error after which nothing can be exchanged, as a rank has ended, and return it."""
    return _marked(error, "ends_group")


def ends_group(error: BaseException | None) -> bool:
    """Whether the group of ranks cannot be used after an error."""
    return getattr(error, "ends_group", False)


def _marked(error: BaseException, mark: str) -> BaseException:
    """Return an error with a mark, or a RemoteError in its place if it takes no attribute."""
    try:
        setattr(error, mark, True)
    except Exception:  # an exception class decides for itself what this raises
        replacement = RemoteError(f"{type(error).__name__}: {error}")
        replacement.__cause__ = error
        return _marked(replacement, mark)
    return error


def picklable(error: BaseException | None) -> Any:
    """Return an error as other ranks can raise it."""
    if error is None:
        return None
    try:
        return pickle.loads(pickle.dumps(error))
    except Exception:  # an exception class decides for itself what its pickling raises
        return RemoteError(f"{type(error).__name__}: {error}")


def split(whole: Any, lengths: Any) -> list[Any]:
    """Return the parts of these lengths of an array."""
    ends = np.cumsum(lengths).tolist()
    return [whole[first:last] for first, last in pairwise([0, *ends])]


def _record(operation: str, call: str, sent: int, total: int, nbytes: int, start: float) -> None:
    """Add a collective to the traces that record now."""
    if traces := tracing.active():
        seconds = time.perf_counter() - start
        step = tracing.Step(operation, call, "", "", (sent,), total, seconds, nbytes)
        for steps in traces:
            steps.append(step)
