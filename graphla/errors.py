"""The exceptions of graphla.

Each error subclasses :class:`GraphlaError` and the builtin exception that a user of
SciPy would catch. They are raised before any work is done, and their messages
carry the sizes and names at fault.
"""

from __future__ import annotations

from functools import partial
from typing import Any


class GraphlaError(Exception):
    """Base class of every exception that graphla raises on purpose."""

    def __reduce__(self) -> Any:
        # A library that changes how exceptions are pickled would call `__new__`, which MemoryError
        # refuses to a class with another base; Dask loads such a library.
        return type(self), self.args, vars(self) or None


class DimensionMismatch(GraphlaError, ValueError):
    """Shapes or lengths that must agree do not."""


class DomainMismatch(GraphlaError, TypeError):
    """A dtype, or a type of object, that is not supported here."""


class UnknownArgument(GraphlaError, TypeError):
    """A function has no argument of this name."""


class InvalidCall(GraphlaError, TypeError):
    """Arguments that are missing, too many, or in another order."""


class InvalidValue(GraphlaError, ValueError):
    """An argument, or a stored value, outside its domain."""


class OutputNotEmpty(InvalidValue):
    """``build`` of an object that has entries."""


class EmptyObject(InvalidValue):
    """An empty Scalar where a value is needed."""


class InvalidIndex(GraphlaError, IndexError):
    """A vertex outside 0..n-1."""


class InvalidGraph(GraphlaError, ValueError):
    """The data do not describe a graph of the kind that was asked for."""


class SymmetricStructureRequired(GraphlaError, ValueError):
    """The algorithm is defined on undirected (symmetric) graphs only."""


class NegativeWeight(GraphlaError, ValueError):
    """The algorithm needs weights >= 0."""


class NegativeCycle(GraphlaError, ValueError):
    """A cycle of negative weight is reachable from the source: no shortest path exists."""


class ConvergenceFailure(GraphlaError, RuntimeError):
    """An iteration did not reach its tolerance.

    Attributes
    ----------
    iterations : int
        Iterations that were done.
    residual : float
        Change in the last iteration.
    result : object
        The last iterate, so that the work is not lost.
    """

    def __init__(self, message: str, *, iterations: int, residual: float, result: Any) -> None:
        super().__init__(message)
        self.iterations = iterations
        self.residual = residual
        self.result = result

    def __reduce__(self) -> Any:
        keywords = {k: getattr(self, k) for k in ("iterations", "residual", "result")}
        return partial(type(self), **keywords), self.args


class ReadError(GraphlaError, OSError):
    """A file does not hold what its format asks for.

    Attributes
    ----------
    path : str
        The file.
    line : int or None
        Number of the line at fault, from 1; None if the format has no lines.
    expected : str
        What was expected there.
    """

    def __init__(self, path: object, line: int | None, expected: str) -> None:
        self.path = str(path)
        self.line = line
        self.expected = expected
        where = self.path if line is None else f"{self.path}:{line}"
        super().__init__(f"{where}: {expected}")

    def __reduce__(self) -> Any:
        return type(self), (self.path, self.line, self.expected)


class IsolatedVertices(UserWarning):
    """A warning: most vertices have no edge, so that their numbers may be labels."""


class VerificationError(GraphlaError, AssertionError):
    """A result breaks an invariant of its algorithm; the message has the first offender."""


class EngineUnavailable(GraphlaError, ImportError):
    """The engine cannot run here; the message has the cause and the install command."""


class MissingPackage(GraphlaError, ImportError):
    """An optional package is not installed; the message has the install command."""


class EngineMismatch(GraphlaError, TypeError):
    """Operands that live on different engines or devices."""


class NoCounter(GraphlaError, OSError):
    """No energy counter can be read here; the message says why."""


class KernelFailure(GraphlaError, RuntimeError):
    """A kernel on the device has ended, or was never there, and its result did not come."""


class OutOfMemory(GraphlaError, MemoryError):
    """The result would not fit: refused before any work, with the bytes needed."""


class OutOfDeviceMemory(OutOfMemory):
    """The device has not enough memory; nothing was changed.

    Attributes
    ----------
    needed : int
        Bytes that the operation takes. If that is not known, those of the one allocation that
        failed, or 0.
    free : int
        Bytes that the device still had.
    is_total : bool
        Whether `needed` is what the operation takes, not one of its allocations.
    """

    def __init__(self, what: str, *, needed: int, free: int, is_total: bool = True) -> None:
        self.what, self.needed, self.free, self.is_total = what, needed, free, is_total
        if not needed:
            message = f"{what}: the device has not enough memory; {free:,} bytes are free"
        elif is_total:
            message = f"{what} takes {needed:,} bytes of device memory; {free:,} are free"
        else:
            message = (
                f"{what}: could not allocate {needed:,} bytes of device memory; {free:,} are free"
            )
        super().__init__(message)

    def __reduce__(self) -> Any:
        keywords = {k: getattr(self, k) for k in ("needed", "free", "is_total")}
        return partial(type(self), **keywords), (self.what,)


class NotSupported(GraphlaError, NotImplementedError):
    """The engine has no form of this operation, or of this algorithm; the message says why."""


class RankFailure(GraphlaError, RuntimeError):
    """Another rank has ended."""


class RemoteError(GraphlaError, RuntimeError):
    """Another rank has raised an error that cannot be pickled: this has its name and its text."""


class DivergedRanks(GraphlaError, RuntimeError):
    """The ranks of one program make different calls: they no longer run in lockstep."""


class RankLost(RankFailure):
    """A process of a group of ranks has ended; the handles of the group are invalid.

    Attributes
    ----------
    rank : int
        Its number.
    host : str
        The machine on which it ran.
    step : str
        What it did last.
    """

    def __init__(self, rank: int, host: str, step: str) -> None:
        self.rank, self.host, self.step = rank, host, step
        super().__init__(f"rank {rank} on {host} has ended; it was in: {step}")

    def __reduce__(self) -> Any:
        return type(self), (self.rank, self.host, self.step)
