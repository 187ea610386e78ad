"""Vector: python-graphblas's, in pieces of the ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
from graphblas import monoid, semiring
from graphblas.dtypes import INT64

from graphla.errors import InvalidIndex, NotSupported
from graphla.ranks import products, regions
from graphla.ranks.collection import Collection
from graphla.ranks.collectives.exchange import redistributed_vector
from graphla.ranks.collectives.gather import gather_vector
from graphla.ranks.layout import Layout
from graphla.ranks.statements import OUTPUTS, Expression, ScalarExpression

NO_AXIS = 0  # a vector is cut along its only dimension


class Vector(Collection):
    """A sparse vector of which each rank has the entries of its vertices.

    All ranks call its methods together. ``to_coo`` and ``to_dense`` gather all entries on every
    rank. No other method returns all entries; inside, a product may gather one of its operands.

    Attributes
    ----------
    block : Vector of the engine of the blocks
        The entries of this rank, numbered from 0.
    first : int
        The index of the first one.
    """

    __slots__ = ("block",)
    ndim = 1
    axis = NO_AXIS
    block: Any

    def __init__(self, layout: Layout, dtype: Any, size: int) -> None:
        self.layout, self.shape = layout, (int(size),)
        first, last = layout.piece(self.size)
        self.block = layout.blocks.objects.Vector(dtype, last - first)

    @classmethod
    def _of(cls, layout: Layout, block: Any, shape: tuple[int, ...], axis: int = 0) -> Vector:
        """Return the Vector of which this rank has this block."""
        v = cls.__new__(cls)
        v.layout, v.block, v.shape = layout, block, shape
        return v

    @property
    def size(self) -> int:
        """Length."""
        return self.shape[0]

    @property
    def first(self) -> int:
        """Index of this rank's first position."""
        return self.layout.piece(self.size)[0]

    def local(self, axis: int = 0) -> Any:
        """Return this rank's block."""
        return self.block

    def cut_as(self, layout: Layout) -> Vector:
        """Return the Vector itself, or a copy that is cut as another layout does."""
        if self.layout.cuts_as(layout, self.size):
            return self
        return Vector._of(layout, redistributed_vector(self, layout), self.shape)

    @property
    def nvals(self) -> int:
        """Number of entries on all ranks."""
        communicator = self.layout.communicator
        return communicator.sum("nvals", communicator.guarded("nvals", lambda: self.block.nvals))

    def nvals_and_sum(self, other: Any) -> tuple[int, int]:
        """Return the number of entries, and the sum of the integers of `other` at their places."""
        communicator = self.layout.communicator

        def work() -> tuple[int, int]:
            other_block = other.cut_as(self.layout).block
            local = self.block.inner(other_block, semiring.plus_second[INT64]).new()
            return self.block.nvals, local.get(0)

        found = communicator.gather_words("nvals", *communicator.guarded("nvals", work))
        return int(found.first.sum()), int(found.second.sum())

    # ---- operations

    def vxm(self, other: Any, op: Any = "plus_times") -> Expression:
        """self' other over a semiring."""
        return products.vxm(self, other, op)

    def inner(self, other: Any, op: Any = "plus_times") -> ScalarExpression:
        """self' other over a semiring."""
        return products.inner(self, other, op)

    def reduce(self, op: Any = monoid.plus, *, allow_empty: bool = True) -> ScalarExpression:
        """The sum of all entries over a monoid; without entries it is empty, or the identity."""
        return self._reduce(op, allow_empty, "reduce")

    def diag(self, k: int = 0) -> Any:
        """Return the square Matrix with these values on its diagonal."""
        if k:
            raise NotSupported(f"diag({k}) of a distributed Vector: only the main diagonal")
        return OUTPUTS[2].diagonal(self)

    # ---- regions

    def __getitem__(self, keys: Any) -> Any:
        return self._region(keys)

    def __setitem__(self, keys: Any, value: Any) -> None:
        if type(keys) is int and np.isscalar(value):
            self._set_element(keys, value)
        else:
            self._region(keys) << value

    def _set_element(self, index: int, value: Any) -> None:
        """Set the value at one index: its owner does."""
        if not -self.size <= index < self.size:
            raise InvalidIndex(f"index {index:,} is out of range for a length of {self.size:,}")
        first, last = self.layout.piece(self.size)
        place = index % self.size - first

        def work() -> None:
            if 0 <= place < last - first:
                self.block[place] = value

        self.layout.communicator.guarded("assign", work)
        self._changed()

    def _region(self, keys: Any) -> Any:
        return regions.Region(self, (keys,))

    def get(self, index: int, default: Any = None) -> Any:
        """Return the value at an index, on every rank."""
        return self[index].new().get(default)

    # ---- arrays

    def build(self, indices: Any, values: Any, *, dup_op: Any = None) -> None:
        """Fill an empty Vector with entries that every rank has."""
        self._build((indices,), values, dup_op)

    def from_coo(
        self, indices: Any, values: Any = 1.0, dtype: Any = None, *, size: int, dup_op: Any = None
    ) -> Vector:
        """Return a new Vector of entries that every rank has."""
        values = self.layout.blocks.xp.asarray(values)
        out = Vector(self.layout, dtype or values.dtype, size)
        out.build(indices, values, dup_op=dup_op)
        return out

    def from_dense(self, values: Any, missing_value: Any = None, *, dtype: Any = None) -> Vector:
        """Return a new Vector of an array that every rank has."""
        blocks = self.layout.blocks
        values = blocks.xp.asarray(values)
        first, last = self.layout.piece(values.size)
        block = blocks.objects.Vector.from_dense(values[first:last], missing_value, dtype=dtype)
        return Vector._of(self.layout, block, values.shape)

    def to_coo(
        self, dtype: Any = None, *, indices: bool = True, values: bool = True, sort: bool = True
    ) -> tuple[Any, Any]:
        """Return indices and values of all entries, on every rank."""
        options = {"indices": indices, "values": values, "sort": sort}
        return self._read_whole("to_coo", lambda whole: whole.to_coo(dtype, **options))

    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> Any:
        """Return all values as an array on every rank; missing entries get `fill_value`."""
        return self._read_whole("to_dense", lambda whole: whole.to_dense(fill_value, dtype))

    def gathered(self) -> Any:
        """Return all entries as a Vector of the engine of the blocks, on every rank."""
        communicator = self.layout.communicator

        def work() -> Any:
            self._require_memory(self.size)
            whole = gather_vector(self, "gather")
            return whole.dup() if communicator.size == 1 else whole  # one rank has all in its block

        return communicator.guarded("gather", work)


OUTPUTS[1] = Vector
