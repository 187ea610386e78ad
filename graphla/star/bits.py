"""The base class of slices and words: n bits at positions 1..n, in an array of 64-bit words.

Position p is bit (p - 1) % 64, counted from the lowest, of word (p - 1) // 64; the unused bits of
the last word are 0. A method that returns a position, a count or a truth value returns a Python
object on engine "cpu" and a :class:`graphla.cuda.Scalar` on "cuda", which is copied to the host
when its value is used.
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


def operations(engine: str) -> Any:
    """Return the module with the operations of an engine: on_cpu or on_cuda."""
    try:
        return _modules[engine]
    except (KeyError, TypeError):
        if engine not in ("cpu", "cuda"):
            raise EngineUnavailable(f"unknown engine {engine!r}: expected cpu or cuda") from None
    module = import_module(f"graphla.star.on_{engine}")
    if engine == "cuda":
        module.device.xp  # raises EngineUnavailable, with the reason
    _modules[engine] = module
    return module


_modules: dict[str, Any] = {}


def check_integer(x: Any, name: str) -> int:
    """Return x as an int; raise DomainMismatch if it is not an integer."""
    try:
        return index(x)
    except TypeError:
        raise DomainMismatch(f"{name} must be an integer, not {type(x).__name__}") from None


def check_length(n: Any, name: str = "n") -> int:
    """Return a number of bits as an int >= 0."""
    n = check_integer(n, name)
    if n < 0:
        raise InvalidValue(f"{name}={n} is negative")
    return n


def check_position(i: Any, n: int, name: str = "position") -> int:
    """Return a position, counted from 1, as an index from 0."""
    i = check_integer(i, name)
    if not 1 <= i <= n:
        raise InvalidIndex(f"{name} {i} is out of range 1..{n}")
    return i - 1


def index_range(i: Any, j: Any, n: int) -> tuple[int, int]:
    """Return the index, from 0, of the first of positions i..j, and their number."""
    first, last = check_position(i, n), check_position(j, n)
    if first > last:
        raise InvalidIndex(f"positions {first + 1}..{last + 1} are in the wrong order")
    return first, last - first + 1


class Bits:
    """n bits, initially 0."""

    __slots__ = ("_ops", "engine", "n", "words")

    def __init__(self, n: int, *, engine: str = "cpu") -> None:
        self.n, self.engine, self._ops = check_length(n), engine, operations(engine)
        self.words = self._ops.zeros(-(-self.n // 64))

    @classmethod
    def _of(cls, words: Any, n: int, engine: str) -> Self:
        """Return an object that uses the array `words`."""
        bits = cls.__new__(cls)
        bits.words, bits.n, bits.engine, bits._ops = words, n, engine, operations(engine)
        return bits

    @classmethod
    def from_numpy(cls, values: Any, *, engine: str = "cpu") -> Self:
        """Return the bits of an array: 1 where it is not zero.

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
        return cls._of(operations(engine).array(words), bits.size, engine)

    def to_numpy(self) -> Any:
        """Return a Boolean NumPy array, position 1 first."""
        words = self._ops.to_host(self.words)
        return np.unpackbits(words.view(np.uint8), count=self.n, bitorder="little").view(bool)

    def to_string(self) -> str:
        """Return the bits as a string of 0 and 1, position 1 first."""
        return (self.to_numpy().view(np.uint8) + np.uint8(ord("0"))).tobytes().decode()

    def __repr__(self) -> str:
        text, name = self.to_string(), type(self).__name__
        return f"{name}({text!r})" if self.n <= 64 else f"<{name}: {self.n:,} bits, {text[:32]}...>"

    def copy(self) -> Self:
        """Return a copy."""
        out = self._empty()
        out.words[...] = self.words
        return out

    def to(self, engine: str) -> Self:
        """Return a copy on another engine; return self if it is on this one."""
        if engine == self.engine:
            return self
        words = operations(engine).array(self._ops.to_host(self.words))
        return self._of(words, self.n, engine)

    def _empty(self) -> Self:
        """Return an object of the same length with uninitialized bits."""
        return self._of(self._ops.empty(self.words.shape), self.n, self.engine)

    def _check(self, other: Any) -> None:
        """Raise unless `other` has the same type, engine and length."""
        if type(other) is not type(self):
            raise DomainMismatch(f"expected a {type(self).__name__}, not {type(other).__name__}")
        if other.engine != self.engine:
            raise EngineMismatch(f"operands are on engines {self.engine!r} and {other.engine!r}")
        if other.n != self.n:
            raise DimensionMismatch(f"lengths {self.n} and {other.n} differ")

    # ---- reading and writing bits

    def set_all(self) -> Self:
        """SET: make all bits 1."""
        self._ops.bitwise("set", self.n, self.words, self.words, self.words)
        return self

    def clear(self) -> Self:
        """CLR: make all bits 0."""
        self.words.fill(0)
        return self

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, i: int) -> bool:
        return bool(self._ops.get_bit(self.words, check_position(i, self.n)))

    def __setitem__(self, i: int, bit: Any) -> None:
        self._ops.put_bit(self.words, check_position(i, self.n), bool(bit))

    def __iter__(self) -> Any:
        return iter(self.to_numpy().tolist())

    def positions(self) -> Any:
        """Return the positions of the ones, ascending, as a NumPy array."""
        return np.flatnonzero(self.to_numpy()) + 1

    # ---- searching and counting

    def find(self) -> Any:
        """FND: return the position of the first 1; 0 if there is none."""
        return self._ops.first_position(self.words)

    def step(self) -> Any:
        """STEP: return the position of the first 1 and clear that bit; 0 if there is none."""
        return self._ops.step(self.words)

    def count(self) -> Any:
        """NUMB: return the number of ones."""
        return self._ops.count(self.words)

    def some(self) -> Any:
        """SOME: return whether any bit is 1."""
        return self._ops.some(self.words)

    def first(self) -> Self:
        """FRST: return a copy with the first 1 only."""
        out = self._empty()
        self._ops.keep_first(self.words, out.words)
        return out

    def __bool__(self) -> bool:
        return bool(self.some())

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        self._check(other)
        return bool(self._ops.compare_words(self.words, other.words, 2))

    __hash__ = None  # type: ignore[assignment]

    # ---- bitwise operators

    def _combine(self, op: str, other: Any, out: Any) -> Self:
        self._check(other)
        out._ops.bitwise(op, self.n, self.words, other.words, out.words)
        return out

    def __and__(self, other: Any) -> Self:
        return self._combine("and", other, self._empty())

    def __or__(self, other: Any) -> Self:
        return self._combine("or", other, self._empty())

    def __xor__(self, other: Any) -> Self:
        return self._combine("xor", other, self._empty())

    def __sub__(self, other: Any) -> Self:
        """Return the ones of this that are 0 in the other."""
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
