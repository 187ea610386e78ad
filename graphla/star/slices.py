"""Slices and words: a column of bits and a row of bits; both are vectors of bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.errors import DimensionMismatch, InvalidValue
from graphla.star.bits import Bits, check_integer, check_length, index_range, operations

LESS, EQUAL, GREATER = 1, 2, 4  # the outcomes of a comparison, combined by |


class Slice(Bits):
    """A column of n bits, one bit for each row, at positions 1..n; initially all 0.

    ``x[i]`` reads and writes a bit. ``& | ^ ~`` and ``-`` (and not) work bit by bit, also in
    place. ``==`` compares all bits. The names of the model (SET, CLR, FND, STEP, NUMB, FRST,
    SOME, CONVERT) are aliases of the Python names.

    Parameters
    ----------
    n : int
        Number of rows.
    engine : {"cpu", "cuda"}

    Raises
    ------
    DimensionMismatch, EngineMismatch
        Operands differ in length, or in engine.
    InvalidIndex
        A position is not in 1..n.

    Examples
    --------
    >>> from graphla.star import Slice
    >>> x = Slice.from_numpy([0, 1, 0, 1, 1])
    >>> int(x.count()), int(x.find()), int(x.step()), x
    (3, 2, 2, Slice('00011'))
    """

    __slots__ = ()

    def convert(self) -> Word:
        """CONVERT: return the same bits as a word."""
        return Word._of(self.copy().words, self.n, self.engine)

    CONVERT = convert


class Word(Bits):
    """A row of n bits at positions 1..n, read as a number; initially all 0.

    It has the operations of a :class:`~graphla.star.Slice`. Position 1 is the most significant
    bit of the number; ``<``, ``<=``, ``>``, ``>=``, ``==`` compare numbers.

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
        """Return a number as a word; raise InvalidValue if it does not fit `bits` bits."""
        bits, value = check_length(bits, "bits"), check_integer(value, "value")
        if value < 0 or value >> bits:
            raise InvalidValue(f"{value} does not fit {bits} bits")
        words = np.zeros(-(-bits // 64), np.uint64)
        if bits:
            reversed_bits = int(f"{value:0{bits}b}"[::-1], 2)
            words[:] = np.frombuffer(reversed_bits.to_bytes(8 * words.size, "little"), np.uint64)
        return cls._of(operations(engine).array(words), bits, engine)

    @classmethod
    def from_string(cls, text: str, *, engine: str = "cpu") -> Word:
        """Return the word of a string of 0 and 1."""
        if not isinstance(text, str) or set(text) - set("01"):
            raise InvalidValue(f"{text!r} is not a string of 0 and 1")
        return cls.from_integer(int("0" + text, 2), len(text), engine=engine)

    def __int__(self) -> int:
        return int("0" + self.to_string(), 2)

    def convert(self) -> Slice:
        """CONVERT: return the same bits as a slice."""
        return Slice._of(self.copy().words, self.n, self.engine)

    def trim(self, i: int, j: int) -> Word:
        """TRIM: return the bits at positions i..j as a word."""
        first, count = index_range(i, j, self.n)
        out = Word(count, engine=self.engine)
        self._ops.copy_bits(count, self.words, first, out.words, 0)
        return out

    def rep(self, i: int, j: int, v: Word) -> Word:
        """REP: replace the bits at positions i..j by a word of that length."""
        first, count = index_range(i, j, self.n)
        if isinstance(v, Word) and v.n != count:
            raise DimensionMismatch(f"a word of {v.n} bits does not fit positions {i}..{j}")
        if isinstance(v, Word) and v.words is self.words:
            return self
        self.trim(i, j)._check(v)
        self._ops.copy_bits(count, v.words, 0, self.words, first)
        return self

    def _compare(self, other: Word, outcomes: int) -> Any:
        """Return whether the comparison has one of the outcomes."""
        self._check(other)
        return self._ops.compare_words(self.words, other.words, outcomes)

    def equal(self, other: Word) -> Any:
        """EQ: return whether the numbers are equal."""
        return self._compare(other, EQUAL)

    def not_equal(self, other: Word) -> Any:
        """NOTEQ: return whether the numbers differ."""
        return self._compare(other, LESS | GREATER)

    def less(self, other: Word) -> Any:
        """LESS: return whether this number is smaller."""
        return self._compare(other, LESS)

    def less_equal(self, other: Word) -> Any:
        """LESSEQ: return whether this number is smaller or equal."""
        return self._compare(other, LESS | EQUAL)

    def greater(self, other: Word) -> Any:
        """GREAT: return whether this number is larger."""
        return self._compare(other, GREATER)

    def greater_equal(self, other: Word) -> Any:
        """GREATEQ: return whether this number is larger or equal."""
        return self._compare(other, GREATER | EQUAL)

    def __lt__(self, other: Word) -> bool:
        return bool(self.less(other))

    def __le__(self, other: Word) -> bool:
        return bool(self.less_equal(other))

    def __gt__(self, other: Word) -> bool:
        return bool(self.greater(other))

    def __ge__(self, other: Word) -> bool:
        return bool(self.greater_equal(other))

    def _add(self, other: Word, subtract: bool) -> Word:
        self._check(other)
        out = self._empty()
        if self.n:
            self._ops.add_words(self.n, subtract, self.words, other.words, out.words)
        return out

    def add(self, other: Word) -> Word:
        """ADD: return the sum modulo 2^n."""
        return self._add(other, False)

    def subt(self, other: Word) -> Word:
        """SUBT: return the difference modulo 2^n."""
        return self._add(other, True)

    CONVERT, TRIM, REP, ADD, SUBT = convert, trim, rep, add, subt
    EQ, NOTEQ, LESS, LESSEQ = equal, not_equal, less, less_equal
    GREAT, GREATEQ = greater, greater_equal
