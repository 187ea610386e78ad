"""Proxies of graphs and results that the processes of ranks have.

``gl.bfs(H, 0)`` on a :class:`DistributedGraphHandle` sends the name of the algorithm and its
arguments once. All ranks run the algorithm; the objects that it returns stay with them, under a
number, and the caller gets handles. Numbers, texts and arrays come back as they are.

What starts the processes and carries the calls is a :class:`RankProcesses`; a process answers each
call by :func:`run_on_rank`.
"""

from __future__ import annotations

import importlib
import pickle
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import GeneratorType
from typing import Any, NamedTuple, Self

import graphblas as gb
import numpy as np

from graphla.core.engines import RemoteGraph, engine_of, host_array, on_host
from graphla.core.graph import Graph
from graphla.errors import (
    EngineMismatch,
    InvalidCall,
    InvalidValue,
    MissingPackage,
    NotSupported,
)
from graphla.io.files import atomic_writer, import_optional
from graphla.ranks.blocks.engine import block_engine
from graphla.ranks.collection import Collection
from graphla.ranks.distribution import Cut, Ranks, check_local_graph
from graphla.ranks.matrix import TransposedMatrix

GRAPH, VECTOR, MATRIX = "graph", "vector", "matrix"


class Member:
    """What one process keeps between calls: its rank, and the objects that handles refer to.

    Attributes
    ----------
    ranks : Ranks
    objects : dict of int to object
        The numbers are equal on all ranks, which make the same calls.
    parts : dict of str to list
        The parts of objects that are still on their way to this rank.
    """

    def __init__(self, ranks: Ranks) -> None:
        self.ranks, self.objects = ranks, dict[int, Any]()
        self.parts: dict[str, list[Any]] = {}
        self._next_number = 0

    def keep(self, x: Any) -> int:
        """Keep an object and return its number."""
        self._next_number += 1
        self.objects[self._next_number] = x
        return self._next_number


class Reference(NamedTuple):
    """An object of the ranks, as an argument of a call."""

    number: int


class Description(NamedTuple):
    """An object that stays on the ranks, as a result of a call."""

    number: int
    what: str  # GRAPH, VECTOR or MATRIX
    facts: dict[str, Any]


class RankProcesses(ABC):
    """The processes of a group of ranks, seen by the process that calls them.

    Attributes
    ----------
    size : int
        Number of ranks.
    engine : str
        The engine of their blocks, "cpu" or "cuda".
    """

    size: int
    engine: str

    def __init__(self) -> None:
        self._unused: list[int] = []  # numbers of objects whose handles are gone

    @abstractmethod
    def run_each(
        self, function: Callable[..., Any], args: Sequence[tuple[Any, ...]], step: str = ""
    ) -> list[Any]:
        """Return ``run_on_rank(member, function, args[rank])`` of all ranks, which run together.

        `function` can be pickled by its name. Raises the error on which the ranks agreed, or
        :class:`graphla.errors.RankLost`, after which the processes have ended. `step` names the
        call in that error.
        """

    def run(self, function: Callable[..., Any], *args: Any, step: str = "") -> list[Any]:
        """Do the same with equal arguments on all ranks."""
        return self.run_each(function, [args] * self.size, step)

    @abstractmethod
    def close(self) -> None:
        """End the processes; a second call does nothing."""

    def distribute(self, G: Graph) -> DistributedGraphHandle:
        """Send a graph to the ranks, each its block, and return a handle of it.

        Parameters
        ----------
        G : Graph
            On engine "cpu".

        Raises
        ------
        DomainMismatch, EngineMismatch
            It is no graph, or on another engine.
        OutOfMemory
            A block does not fit on its rank.
        """
        check_local_graph(G)
        cut = Cut.of(G, self.size, block_engine(self.engine).alignment)
        args = [(cut.block(G, rank), cut) for rank in range(self.size)]
        handle: DistributedGraphHandle = self.handle_of(self.run_each(_adopt, args))
        return handle

    def read(self, path: Any, **options: Any) -> DistributedGraphHandle:
        """Let the ranks read a graph, each its parts of the files, and return a handle of it.

        Parameters and errors are those of :meth:`graphla.ranks.Ranks.read`; all ranks must reach
        the files by `path`.
        """
        results = self.run(_read, path, options, step="read")
        handle: DistributedGraphHandle = self.handle_of(results)
        return handle

    def handle_of(self, results: list[Any]) -> Any:
        """Return what a call returned, with handles in place of objects that stay on the ranks."""
        return _decoded(self, results[0])

    def take_unused(self) -> list[int]:
        """Return the numbers of objects that the ranks can forget; they are sent with a call."""
        count = len(self._unused)
        unused = self._unused[:count]
        del self._unused[:count]
        return unused

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()


def _converted(x: Any, convert: Callable[[Any], Any]) -> Any:
    """Return a tuple, list or dict with all its items converted; anything else as it is."""
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return type(x)(*map(convert, x))
    if type(x) in (list, tuple):
        return type(x)(map(convert, x))
    if type(x) is dict:
        return {key: convert(y) for key, y in x.items()}
    return x


# ---- in the processes of the ranks


def run_on_rank(member: Member, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Return ``function(member, *args)``; an error on one rank is raised on all."""
    communicator = member.ranks.communicator

    def work() -> Any:
        try:
            return function(member, *args)
        except (SystemExit, KeyboardInterrupt) as end:  # would leave the others waiting
            raise InvalidCall(f"the function ended with {end!r}: return from it") from None

    return communicator.whole_call(function.__name__, work)


def described_error(member: Member, error: BaseException) -> BaseException:
    """Return an error as it can be sent: the result that it has stays on the ranks."""
    if hasattr(error, "result"):
        error.result = described(member, error.result)
    return error


def forget(member: Member, numbers: list[int]) -> None:
    """Release objects that no handle refers to."""
    for number in numbers:
        del member.objects[number]


def _call(member: Member, graph: int, name: str, args: Any, kwargs: Any) -> Any:
    function = _function(name)
    args, kwargs = _resolved(member, args), _resolved(member, kwargs)
    return answer(member, function(member.objects[graph], *args, **kwargs))


def _run(member: Member, graph: int, pickled: bytes, args: Any) -> Any:
    function = pickle.loads(pickled)
    return answer(member, function(member.objects[graph], *_resolved(member, args)))


def _adopt(member: Member, block: Any, cut: Cut) -> Any:
    return answer(member, member.ranks.adopt(block, cut))


def _read(member: Member, path: Any, options: dict[str, Any]) -> Any:
    return answer(member, member.ranks.read(path, **options))


def _block(member: Member, number: int, method: str, options: dict[str, Any]) -> Any:
    """Return the entries of this rank's block: first index along the cut, axis and arrays."""
    x = member.objects[number]
    block = x.local(x.axis)
    arrays = getattr(block, method)(**options)
    arrays = arrays if isinstance(arrays, tuple) else (arrays,)
    first = x.layout.piece(x.shape[x.axis])[0]
    return first, x.axis, [a if a is None else host_array(a) for a in arrays]


def _write_block(member: Member, number: int, folder: str) -> None:
    """Write the entries of this rank's block of a Vector as one file."""
    arrow = import_optional("pyarrow", "to_parquet")
    parquet = import_optional("pyarrow.parquet", "to_parquet")
    communicator = member.ranks.communicator

    def make_folder() -> None:
        if communicator.rank == 0:
            Path(folder).mkdir(parents=True, exist_ok=True)
            if any(Path(folder).iterdir()):
                raise InvalidValue(f"{folder} has files already: give a new folder")

    communicator.guarded("to_parquet", make_folder)
    communicator.all("to_parquet", True)
    first, _, (indices, values) = _block(member, number, "to_coo", {})
    table = arrow.table({"index": indices.astype(np.int64) + first, "value": values})
    Path(folder).mkdir(parents=True, exist_ok=True)  # on another machine
    with atomic_writer(Path(folder) / f"part-{communicator.rank:05}.parquet") as file:
        parquet.write_table(table, file)


def _function(name: str) -> Any:
    """Return a function of the package, by "module:function" or by its public name."""
    module, _, path = name.rpartition(":")
    if not (module or "graphla").startswith("graphla"):
        raise InvalidValue(f"{name!r} is no function of graphla: H.run(function) runs your own")
    found = importlib.import_module(module or "graphla")
    for part in path.split("."):
        found = getattr(found, part)
    return found


def _resolved(member: Member, x: Any) -> Any:
    """Return arguments with the objects of this rank in place of references."""
    if isinstance(x, Reference):
        return member.objects[x.number]
    return _converted(x, partial(_resolved, member))


def answer(member: Member, x: Any) -> Any:
    """Return the description of a result, which is equal on all ranks: rank 0 sends it alone."""
    description = described(member, x)
    return description if member.ranks.rank == 0 else None


def described(member: Member, x: Any) -> Any:
    """Keep the distributed objects of a result; return a description of it that can be sent."""
    if isinstance(x, GeneratorType):
        x = list(x)
    if isinstance(x, TransposedMatrix):
        x = x.new()
    if isinstance(x, Graph) and x.engine == "ranks":
        facts = {"n": x.n, "nedges": x.nedges, "kind": x.kind, "dtype": x.dtype.name}
        return Description(member.keep(x), GRAPH, facts)
    if isinstance(x, Collection):
        facts = {"shape": x.shape, "dtype": x.dtype.name, "nvals": x.nvals}
        return Description(member.keep(x), VECTOR if x.ndim == 1 else MATRIX, facts)
    if isinstance(x, tuple | list | dict):
        return _converted(x, partial(described, member))
    if engine_of(x) == "cuda":
        return x.value if hasattr(x, "is_cscalar") else on_host(x)
    return x.value if isinstance(x, gb.Scalar) else host_array(x)


# ---- in the process of the caller


def _decoded(processes: RankProcesses, x: Any) -> Any:
    if isinstance(x, Description):
        return _HANDLES[x.what](processes, x.number, **x.facts)
    return _converted(x, partial(_decoded, processes))


class Handle:
    """An object that lies on the ranks; they forget it when the handle is gone."""

    __slots__ = ("__weakref__", "_number", "processes")
    _engine = "ranks"

    def __init__(self, processes: RankProcesses, number: int) -> None:
        self.processes, self._number = processes, number
        weakref.finalize(self, processes._unused.append, number).atexit = False

    def __reduce__(self) -> Any:
        raise NotSupported("a handle is of the process that made it: x.to_coo() can be pickled")


def _sent(processes: RankProcesses, x: Any) -> Any:
    """Return arguments with references in place of handles."""
    if isinstance(x, Handle):
        if x.processes is not processes:
            raise EngineMismatch("the graph and an argument are of two groups of ranks")
        return Reference(x._number)
    return _converted(x, partial(_sent, processes))


class DistributedGraphHandle(Handle, RemoteGraph):
    """A graph whose blocks are on the ranks of other processes.

    Every algorithm takes it in place of a graph: ``gl.bfs(H, 0)``. The results are handles too, but
    for numbers and for arrays, which all ranks have.

    Attributes
    ----------
    n, nedges : int
        Numbers of vertices and of edges.
    kind : str
        "directed" or "undirected".
    dtype : dtype
        Of the weights; BOOL if there are none.
    engine : str
        Of the blocks: "cpu" or "cuda".
    processes : RankProcesses
        The ranks.
    """

    __slots__ = ("_owns_processes", "dtype", "kind", "n", "nedges")

    def __init__(
        self, processes: RankProcesses, number: int, *, n: int, nedges: int, kind: str, dtype: str
    ) -> None:
        super().__init__(processes, number)
        self.n, self.nedges, self.kind = n, nedges, kind
        self.dtype = gb.dtypes.lookup_dtype(dtype)
        self._owns_processes = False

    @property
    def engine(self) -> str:
        """The engine of the blocks."""
        return self.processes.engine

    def call(self, function_name: str, args: tuple[Any, ...] = (), kwargs: Any = None) -> Any:
        """Run a function of the package with the graph as its first argument, on all ranks.

        Parameters
        ----------
        function_name : str
            Such as "bfs", or "verify.bfs".
        args : tuple
            The other arguments; handles of the same ranks among them.
        kwargs : dict, optional

        Returns
        -------
        object
            As of the function, with handles in place of vectors, matrices and graphs.

        Raises
        ------
        GraphlaError
            As of the function.
        RankLost
            A process has ended.
        """
        processes = self.processes
        args, kwargs = _sent(processes, args), _sent(processes, dict(kwargs or {}))
        step = function_name.rpartition(":")[2]
        call = self._number, function_name, args, kwargs
        return processes.handle_of(processes.run(_call, *call, step=step))

    def run(self, function: Callable[..., Any], *args: Any) -> Any:
        """Run a function of yours as ``function(G, *args)`` on all ranks.

        There G is a graph on engine "ranks", and a function written as the package's
        algorithms are, in method calls, masks, accumulators and ``<<``, runs on it unchanged.

        Parameters
        ----------
        function : function
            Of a module that the processes can import. One of a script or a notebook needs
            cloudpickle.
        *args
            Handles of the same ranks among them.

        Returns
        -------
        object
            As of :meth:`call`.

        Raises
        ------
        MissingPackage
            The function can be sent only by cloudpickle, which is not installed.
        """
        pickled = portable(function)
        processes = self.processes
        sent, step = _sent(processes, args), getattr(function, "__name__", "run")
        return processes.handle_of(processes.run(_run, self._number, pickled, sent, step=step))

    def close(self) -> None:
        """End the processes if they were started for this graph alone; else do nothing."""
        if self._owns_processes:
            self.processes.close()

    def owning_processes(self) -> Self:
        """Return the handle itself, which from now on ends the processes when it is closed."""
        self._owns_processes = True
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return (
            f"<DistributedGraphHandle: {self.kind}, {self.n:,} vertices, {self.nedges:,} edges, "
            f"{self.dtype.name}, {self.engine}, {self.processes.size} ranks>"
        )


def portable(function: Callable[..., Any]) -> bytes:
    """Return a function as bytes that another process can load."""
    try:
        import cloudpickle
    except ImportError:
        cloudpickle = None
    is_local = getattr(function, "__module__", None) == "__main__" or "<" in getattr(
        function, "__qualname__", "<"
    )
    if is_local and cloudpickle is None:
        raise MissingPackage(
            "a function of a script or a notebook is sent to other processes by cloudpickle: "
            "pip install cloudpickle; or define it in a module of its own"
        )
    pickled: bytes = (cloudpickle or pickle).dumps(function)
    return pickled


class CollectionHandle(Handle):
    """A Vector or a Matrix that lies on the ranks."""

    __slots__ = ("dtype", "nvals", "shape")

    def __init__(
        self, processes: RankProcesses, number: int, *, shape: Any, dtype: str, nvals: int
    ) -> None:
        super().__init__(processes, number)
        self.shape, self.nvals = tuple(shape), nvals
        self.dtype = gb.dtypes.lookup_dtype(dtype)


class VectorHandle(CollectionHandle):
    """A Vector whose pieces are on the ranks.

    Attributes
    ----------
    size, nvals : int
        Its length, and the number of its entries.
    dtype : dtype
    """

    __slots__ = ()
    ndim = 1

    @property
    def size(self) -> int:
        """Length."""
        return self.shape[0]

    def to_coo(self) -> tuple[Any, Any]:
        """Return indices (int64, ascending) and values of all entries as NumPy arrays."""
        found = self.processes.run(_block, self._number, "to_coo", {})
        indices = [arrays[0].astype(np.int64) + first for first, _, arrays in found]
        return np.concatenate(indices), np.concatenate([arrays[1] for _, _, arrays in found])

    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> Any:
        """Return a NumPy array of all values; missing entries get `fill_value`.

        Raises
        ------
        InvalidValue
            An entry is missing, and there is no `fill_value`.
        """
        if fill_value is None and self.nvals < self.size:
            raise InvalidValue(f"{self.nvals} of {self.size} entries exist: give a fill_value")
        options = {"fill_value": fill_value, "dtype": dtype}
        found = self.processes.run(_block, self._number, "to_dense", options)
        return np.concatenate([arrays[0] for _, _, arrays in found])

    def to_parquet(self, folder: Any) -> None:
        """Write the entries into a folder, a file ``part-*.parquet`` of each rank.

        Its columns are ``index`` and ``value``. The folder is made where the ranks run.

        Raises
        ------
        InvalidValue
            The folder has files already.
        MissingPackage
            pyarrow is not installed where the ranks run.
        """
        self.processes.run(_write_block, self._number, str(folder))

    def __repr__(self) -> str:
        return f"<VectorHandle: {self.size:,} {self.dtype.name}, {self.nvals:,} entries>"


class MatrixHandle(CollectionHandle):
    """A Matrix whose blocks are on the ranks.

    Attributes
    ----------
    shape : tuple of int
    nvals : int
    dtype : dtype
    """

    __slots__ = ()
    ndim = 2

    def to_coo(self) -> tuple[Any, Any, Any]:
        """Return rows, columns (int64) and values of all entries as NumPy arrays, row by row."""
        found = self.processes.run(_block, self._number, "to_coo", {})
        axis = found[0][1]
        ends: list[list[Any]] = [[], []]
        for first, _, arrays in found:
            for k in (0, 1):
                ends[k].append(arrays[k].astype(np.int64) + (first if k == axis else 0))
        rows, columns = (np.concatenate(x) for x in ends)
        values = np.concatenate([arrays[2] for _, _, arrays in found])
        order = np.lexsort((columns, rows))
        return rows[order], columns[order], values[order]

    def __repr__(self) -> str:
        shape = " x ".join(f"{n:,}" for n in self.shape)
        return f"<MatrixHandle: {shape} {self.dtype.name}, {self.nvals:,} entries>"


_HANDLES: dict[str, Callable[..., Any]] = {
    GRAPH: DistributedGraphHandle,
    VECTOR: VectorHandle,
    MATRIX: MatrixHandle,
}
