"""What slices and words share: n bits at positions 1..n, in words of 64, and their operations.

Position p is bit (p - 1) % 64, counted from the lowest, of word (p - 1) // 64; what is left of
the last word is 0. Operations that find something return a Python number on engine "cpu" and a
:class:`graphla.cuda.Scalar` on "cuda", which stays on the device until its value is asked for.
"""

from __future__ import annotations

from importlib import import_module
from operator import index
from typing import Any, Self

import numpy as np

from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    EngineMismatch,
    EngineUnavailable,
    InvalidIndex,
    InvalidValue,
)


def machine(engine: str) -> Any:
    """Return the operations of an engine."""
    try:
        return _machines[engine]
    except (KeyError, TypeError):
        if engine not in ("cpu", "cuda"):
            raise EngineUnavailable(f"engine {engine!r} is none of: cpu, cuda") from None
    there = import_module(f"graphla.star.on_{engine}")
    if engine == "cuda":
        there.device.xp  # says what is missing
    _machines[engine] = there
    return there


_machines: dict[str, Any] = {}


def integer(x: Any, name: str) -> int:
    """Return an integer that is one."""
    try:
        return index(x)
    except TypeError:
        raise DomainMismatch(f"{name} must be an integer, not {type(x).__name__}") from None


def length(n: Any, name: str = "n") -> int:
    """Return a number of bits."""
    n = integer(n, name)
    if n < 0:
        raise InvalidValue(f"{name}={n} is negative")
    return n


def position(i: Any, n: int, what: str = "position") -> int:
    """Return a position, counted from 1, as an index from 0."""
    i = integer(i, what)
    if not 1 <= i <= n:
        raise InvalidIndex(f"{what} {i} is none of 1..{n}")
    return i - 1


def interval(i: Any, j: Any, n: int) -> tuple[int, int]:
    """Return where the positions i..j begin, from 0, and how many they are."""
    first, last = position(i, n), position(j, n)
    if first > last:
        raise InvalidIndex(f"positions {first + 1}..{last + 1} are in the wrong order")
    return first, last - first + 1


class Bits:
    """n bits, all 0."""

    __slots__ = ("engine", "n", "on", "words")

    def __init__(self, n: int, *, engine: str = "cpu") -> None:
        self.n, self.engine, self.on = length(n), engine, machine(engine)
        self.words = self.on.zeros(-(-self.n // 64))

    @classmethod
    def _of(cls, words: Any, n: int, engine: str) -> Self:
        """Take words as they are."""
        made = cls.__new__(cls)
        made.words, made.n, made.engine, made.on = words, n, engine, machine(engine)
        return made

    @classmethod
    def from_numpy(cls, values: Any, *, engine: str = "cpu") -> Self:
        """Make one of a Boolean array; what is not zero is 1.

        Parameters
        ----------
        values : 1-D array_like
            Its first element becomes position 1.
        engine : {"cpu", "cuda"}
        """
        bits = np.asarray(values)
        if bits.ndim != 1:
            raise DimensionMismatch(f"values have {bits.ndim} dimensions, not 1")
        words = np.zeros(-(-bits.size // 64), np.uint64)
        packed = np.packbits(bits != 0, bitorder="little")
        words.view(np.uint8)[: packed.size] = packed
        return cls._of(machine(engine).array(words), bits.size, engine)

    def to_numpy(self) -> Any:
        """Copy into a Boolean NumPy array, position 1 first."""
        words = self.on.to_host(self.words)
        return np.unpackbits(words.view(np.uint8), count=self.n, bitorder="little").view(bool)

    def to_string(self) -> str:
        """Write the bits as 0 and 1, position 1 first."""
        return (self.to_numpy().view(np.uint8) + np.uint8(ord("0"))).tobytes().decode()

    def __repr__(self) -> str:
        text, name = self.to_string(), type(self).__name__
        return f"{name}({text!r})" if self.n <= 64 else f"<{name}: {self.n:,} bits, {text[:32]}...>"

    def copy(self) -> Self:
        """Return another with the same bits."""
        made = self._empty()
        made.words[...] = self.words
        return made

    def to(self, engine: str) -> Self:
        """Return a copy on an engine, or itself if it is there."""
        if engine == self.engine:
            return self
        words = machine(engine).array(self.on.to_host(self.words))
        return self._of(words, self.n, engine)

    def _empty(self) -> Self:
        return self._of(self.on.empty(self.words.shape), self.n, self.engine)

    def _check(self, other: Any) -> None:
        """Refuse what is not of the same kind, engine and length."""
        if type(other) is not type(self):
            kinds = type(self).__name__, type(other).__name__
            raise DomainMismatch(f"a {kinds[0]} goes with a {kinds[0]}, not with a {kinds[1]}")
        if other.engine != self.engine:
            raise EngineMismatch(f"one is on engine {self.engine!r}, one on {other.engine!r}")
        if other.n != self.n:
            raise DimensionMismatch(f"lengths {self.n} and {other.n} differ")

    # ---- bits

    def set_all(self) -> Self:
        """SET: make all bits 1."""
        self.on.bitwise("set", self.n, self.words, self.words, self.words)
        return self

    def clear(self) -> Self:
        """CLR: make all bits 0."""
        self.words.fill(0)
        return self

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, i: int) -> bool:
        return bool(self.on.get_bit(self.words, position(i, self.n)))

    def __setitem__(self, i: int, bit: Any) -> None:
        self.on.put_bit(self.words, position(i, self.n), bool(bit))

    def __iter__(self) -> Any:
        return iter(self.to_numpy().tolist())

    def positions(self) -> Any:
        """Return the positions of the ones, ascending, as a NumPy array (it comes to the host)."""
        return np.flatnonzero(self.to_numpy()) + 1

    # ---- what is found

    def find(self) -> Any:
        """FND: return the position of the first 1; 0 if there is none."""
        return self.on.first_position(self.words)

    def step(self) -> Any:
        """STEP: return the position of the first 1 and clear that bit; 0 if there is none."""
        return self.on.step(self.words)

    def count(self) -> Any:
        """NUMB: return how many bits are 1."""
        return self.on.count(self.words)

    def some(self) -> Any:
        """SOME: return whether a bit is 1."""
        return self.on.some(self.words)

    def first(self) -> Self:
        """FRST: return one with the first 1 and no other."""
        out = self._empty()
        self.on.first(self.words, out.words)
        return out

    def __bool__(self) -> bool:
        return bool(self.some())

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        self._check(other)
        return bool(self.on.order(self.words, other.words, 2))

    __hash__ = None  # type: ignore[assignment]

    # ---- bit by bit

    def _combine(self, op: str, other: Any, out: Any) -> Self:
        self._check(other)
        out.on.bitwise(op, self.n, self.words, other.words, out.words)
        return out

    def __and__(self, other: Any) -> Self:
        return self._combine("and", other, self._empty())

    def __or__(self, other: Any) -> Self:
        return self._combine("or", other, self._empty())

    def __xor__(self, other: Any) -> Self:
        return self._combine("xor", other, self._empty())

    def __sub__(self, other: Any) -> Self:
        """Return the ones of this that are not in the other."""
        return self._combine("andnot", other, self._empty())

    def __invert__(self) -> Self:
        return self._combine("not", self, self._empty())

    def __iand__(self, other: Any) -> Self:
        return self._combine("and", other, self)

    def __ior__(self, other: Any) -> Self:
        return self._combine("or", other, self)

    def __ixor__(self, other: Any) -> Self:
        return self._combine("xor", other, self)

    def __isub__(self, other: Any) -> Self:
        return self._combine("andnot", other, self)

    SET, CLR, FND, STEP, NUMB, FRST, SOME = set_all, clear, find, step, count, first, some
