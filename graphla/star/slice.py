"""A slice: one bit of each row, a column of a table or a set of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphla.star.bits import Bits

if TYPE_CHECKING:
    from graphla.star.word import Word


class Slice(Bits):
    """A column of n bits, one a row, positions 1..n from the top; all 0 at first.

    ``x[i]`` reads and writes a bit; ``& | ^ ~`` and ``-`` (and not) work bit by bit, in
    place too; ``==`` asks whether all bits are equal. The names of the model (SET, CLR,
    FND, STEP, NUMB, FRST, SOME, CONVERT) stand beside those of Python.

    Parameters
    ----------
    n : int
        Number of rows.
    engine : {"cpu", "cuda"}

    Raises
    ------
    DimensionMismatch, EngineMismatch
        Operands of different lengths, or on different engines.
    InvalidIndex
        A position that is none of 1..n.

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
        from graphla.star.word import Word

        return Word._of(self.copy().words, self.n, self.engine)

    CONVERT = convert
