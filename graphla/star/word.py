"""A word: a row of bits, and a number whose most significant bit is at position 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.errors import DimensionMismatch, InvalidValue
from graphla.star.bits import Bits, integer, interval, length, machine

if TYPE_CHECKING:
    from graphla.star.slice import Slice

LESS, EQUAL, GREATER = 1, 2, 4


class Word(Bits):
    """A row of n bits, positions 1..n from the left; all 0 at first.

    It does what a :class:`~graphla.star.Slice` does, and is a number as well: position 1
    is its most significant bit; ``<``, ``<=``, ``>``, ``>=``, ``==`` compare numbers.

    Parameters
    ----------
    n : int
        Number of bits.
    engine : {"cpu", "cuda"}

    Examples
    --------
    >>> from graphla.star import Word
    >>> w = Word.from_string("00110")
    >>> int(w), w.trim(3, 5), w.add(Word.from_integer(3, 5)), w < Word.from_integer(9, 5)
    (6, Word('110'), Word('01001'), True)
    """

    __slots__ = ()

    @classmethod
    def from_integer(cls, value: int, bits: int, *, engine: str = "cpu") -> Word:
        """Return a number as a word; InvalidValue where it takes more than `bits` bits."""
        bits, value = length(bits, "bits"), integer(value, "value")
        if value < 0 or value >> bits:
            raise InvalidValue(f"{value} does not fit {bits} bits")
        words = np.zeros(-(-bits // 64), np.uint64)
        if bits:
            turned = int(f"{value:0{bits}b}"[::-1], 2)
            words[:] = np.frombuffer(turned.to_bytes(8 * words.size, "little"), np.uint64)
        return cls._of(machine(engine).array(words), bits, engine)

    @classmethod
    def from_string(cls, text: str, *, engine: str = "cpu") -> Word:
        """Return the word that is written in 0 and 1."""
        if set(text) - set("01"):
            raise InvalidValue(f"{text!r} is not written in 0 and 1")
        return cls.from_integer(int("0" + text, 2), len(text), engine=engine)

    def __int__(self) -> int:
        return int("0" + self.to_string(), 2)

    def convert(self) -> Slice:
        """CONVERT: return the same bits as a slice."""
        from graphla.star.slice import Slice

        return Slice._of(self.copy().words, self.n, self.engine)

    def trim(self, i: int, j: int) -> Word:
        """TRIM: return the bits at positions i..j as a word."""
        first, count = interval(i, j, self.n)
        out = Word(count, engine=self.engine)
        self.on.move(count, self.words, first, out.words, 0)
        return out

    def rep(self, i: int, j: int, v: Word) -> Word:
        """REP: replace the bits at positions i..j by those of a word of that length."""
        first, count = interval(i, j, self.n)
        if isinstance(v, Word) and v.n != count:
            raise DimensionMismatch(f"a word of {v.n} bits does not fit positions {i}..{j}")
        if isinstance(v, Word) and v.words is self.words:
            return self
        self.trim(i, j)._check(v)
        self.on.move(count, v.words, 0, self.words, first)
        return self

    def _order(self, other: Word, wanted: int) -> Any:
        self._check(other)
        return self.on.order(self.words, other.words, wanted)

    def equal(self, other: Word) -> Any:
        """EQ."""
        return self._order(other, EQUAL)

    def not_equal(self, other: Word) -> Any:
        """NOTEQ."""
        return self._order(other, LESS | GREATER)

    def less(self, other: Word) -> Any:
        """LESS."""
        return self._order(other, LESS)

    def less_equal(self, other: Word) -> Any:
        """LESSEQ."""
        return self._order(other, LESS | EQUAL)

    def greater(self, other: Word) -> Any:
        """GREAT."""
        return self._order(other, GREATER)

    def greater_equal(self, other: Word) -> Any:
        """GREATEQ."""
        return self._order(other, GREATER | EQUAL)

    def __lt__(self, other: Word) -> bool:
        return bool(self.less(other))

    def __le__(self, other: Word) -> bool:
        return bool(self.less_equal(other))

    def __gt__(self, other: Word) -> bool:
        return bool(self.greater(other))

    def __ge__(self, other: Word) -> bool:
        return bool(self.greater_equal(other))

    def _sum(self, other: Word, subtract: bool) -> Word:
        self._check(other)
        out = self._empty()
        if self.n:
            self.on.sum(self.n, subtract, self.words, other.words, out.words)
        return out

    def add(self, other: Word) -> Word:
        """ADD: return the sum of two numbers, modulo 2^n."""
        return self._sum(other, False)

    def subt(self, other: Word) -> Word:
        """SUBT: return the difference of two numbers, modulo 2^n."""
        return self._sum(other, True)

    CONVERT, TRIM, REP, ADD, SUBT = convert, trim, rep, add, subt
    EQ, NOTEQ, LESS, LESSEQ = equal, not_equal, less, less_equal
    GREAT, GREATEQ = greater, greater_equal
