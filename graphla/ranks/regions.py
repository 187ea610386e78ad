"""Regions ``x[keys]``: extraction and assignment, in which entries move to their owners."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.errors import DimensionMismatch, DomainMismatch, InvalidIndex, NotSupported
from graphla.ranks.blocks.engine import BlockEngine, block_engine
from graphla.ranks.collectives.communicator import EncodedColumns
from graphla.ranks.collectives.exchange import (
    block_of,
    owned_block,
    send_to_owners,
    sent_rows,
)
from graphla.ranks.layout import PieceWeights
from graphla.ranks.statements import (
    Expression,
    Lazy,
    Operand,
    ScalarExpression,
    Update,
    check_scalar,
)

ALL = slice(None)


class Region(Lazy):
    """Rows and columns of an object: an expression, and the left side of an assignment.

    Parameters
    ----------
    parent : Vector or Matrix
    keys : tuple
        For each dimension a slice, or a sequence of indices that every rank has; or an index for
        each of them.
    """

    __slots__ = ("keys", "parent", "update_of_parent")

    def __init__(self, parent: Any, keys: Any) -> None:
        if not isinstance(keys, tuple) or len(keys) != parent.ndim:
            raise DomainMismatch(f"{keys!r} is not one key for each of {parent.ndim} dimensions")
        self.parent = parent
        blocks = parent.layout.blocks
        first = _key(blocks, keys[0], parent.shape[0])
        is_symmetric = keys[-1] is keys[0] and parent.shape[-1] == parent.shape[0]
        self.keys: tuple[Any, ...] = (first,)
        if parent.ndim == 2:
            self.keys += (first if is_symmetric else _key(blocks, keys[1], parent.shape[1]),)
        self.update_of_parent: Update | None = None
        singles = [isinstance(k, int) for k in self.keys]
        if any(singles) and not all(singles):
            raise NotSupported("one row, or column, of a distributed matrix: give a list of it")

    @property
    def layout(self) -> Any:
        """The layout of the parent."""
        return self.parent.layout

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the region; () for one place."""
        if isinstance(self.keys[0], int):
            return ()
        return tuple(
            n if k is ALL else len(k) for k, n in zip(self.keys, self.parent.shape, strict=True)
        )

    @property
    def ndim(self) -> int:
        """Number of dimensions of the region."""
        return len(self.shape)

    # ---- extraction

    def new(self, dtype: Any = None, *, mask: Any = None, name: str | None = None) -> Any:
        """Return the entries as a new object; those of one place as a Scalar."""
        if not self.shape:
            return self._element().new(dtype)
        return self.expression(self._layout_of_copy()).new(dtype, mask=mask)

    def expression(self, layout: Any = None) -> Expression:
        """Return the extraction as an expression whose result is cut by a layout."""
        parent, layout = self.parent, layout or self.layout

        def evaluate(axis: int) -> Any:
            return _extracted(parent, self.keys, axis, layout)

        return Expression(layout, "extract", self.shape, evaluate, parent.axis)

    def _layout_of_copy(self) -> Any:
        """Return how to cut a new object: a permuted matrix by its own numbers of entries."""
        parent, axis = self.parent, self.parent.axis
        layout, length, key = self.layout, parent.shape[axis], self.keys[axis]
        ranks = layout.communicator.size
        if parent.ndim == 1 or key is ALL or len(key) != length or ranks == 1:
            return layout
        first, last = layout.piece(length)

        def work() -> Any:
            own = _entries_along(parent, axis)[key[first:last]]
            weights = PieceWeights(layout, length, own, "extract")
            return weights.balanced_boundaries(layout.blocks.alignment)

        boundaries = layout.communicator.guarded("extract", work)
        return layout.with_boundaries(length, boundaries)

    def _element(self) -> ScalarExpression:
        parent, axis = self.parent, self.parent.axis
        communicator = self.layout.communicator
        first, last = self.layout.piece(parent.shape[axis])

        def work() -> Any:
            value = None
            if first <= self.keys[axis] < last:
                place = list(self.keys)
                place[axis] -= first
                found = parent.local(axis)[place[0] if len(place) == 1 else tuple(place)].new()
                if not found.is_empty:
                    value = found.dtype.np_type.type(found.value)
            values = communicator.gather_values("element", value)
            Scalar = self.layout.blocks.objects.Scalar
            return Scalar.from_value(values[0].item() if values.size else None, parent.dtype)

        return ScalarExpression(self.layout, "element", work)

    # ---- assignment

    def _is_whole(self) -> bool:
        return all(key is ALL for key in self.keys)

    def __call__(self, *arguments: Any, **options: Any) -> Region:
        if options.get("mask") is not None or any(hasattr(x, "complement") for x in arguments):
            raise NotSupported("a mask of a region of a distributed object")
        return self.with_update(self.parent(*arguments, **options))

    def with_update(self, update: Update) -> Region:
        """Return the region with the mask, accumulator and options of an update of the parent."""
        if update.mask is not None and not self._is_whole():
            raise NotSupported("a mask and a region in one assignment of distributed objects")
        self.update_of_parent = update
        return self

    def __lshift__(self, value: Any) -> None:
        parent = self.parent
        update = self.update_of_parent or parent()
        if isinstance(value, Region):
            value = value.expression() if value.shape else value.new()
        elif isinstance(value, ScalarExpression):
            value = value.new()
        if isinstance(value, (Expression, Operand)) and value.shape != self.shape:
            raise DimensionMismatch(f"{value.shape} into a region of {self.shape}")
        if self._is_whole() and not hasattr(value, "__len__"):
            update << value
            return

        def work() -> None:
            block = parent.local(parent.axis)
            keys, positions = self._own_keys()
            target = update.of_block(block)
            if not isinstance(value, (Expression, Operand)):
                own = _own_values(value, positions, self.keys[parent.axis] is ALL, parent, self)
                if not all(_length(k) for k in keys):
                    return
            else:
                own = self._moved(value, positions)
            target[keys[0] if len(keys) == 1 else keys] << own

        self.layout.communicator.guarded(f"assign {parent.shape}", work)
        parent._changed()

    update = __lshift__

    def _own_keys(self) -> tuple[tuple[Any, ...], Any]:
        """Return the keys of this rank's part of the region, in its block, and their positions."""
        parent, axis = self.parent, self.parent.axis
        key, length = self.keys[axis], parent.shape[axis]
        keys = list(self.keys)
        first, last = self.layout.piece(length)
        if key is ALL:
            return tuple(keys), None
        if isinstance(key, int):
            inside = first <= key < last
            keys[axis] = key - first if inside else self.layout.blocks.xp.empty(0, np.int64)
            return tuple(keys), None
        positions = self.layout.positions_of_own(key, length)
        keys[axis] = key[positions] - first
        return tuple(keys), positions

    def _moved(self, value: Any, positions: Any) -> Any:
        """Return the part of a value that belongs to this rank's part of the region."""
        parent, axis = self.parent, self.parent.axis
        if isinstance(value, Expression) and not value.layout.cuts_as(
            self.layout, self.shape[axis]
        ):
            value = value.new()
        if isinstance(value, Expression):
            local = value.local(axis)
        else:
            local = value.cut_as(self.layout).local(axis)
        if positions is None:
            return local
        block = local.new() if hasattr(local, "new") else local
        first = self.layout.piece(self.shape[axis])[0]
        *ends, values = block.to_coo()
        ends[axis] = ends[axis].astype(np.int64) + first
        owned, length = self.keys[axis][ends[axis]], parent.shape[axis]
        *ends, values = send_to_owners(self.layout, "assign", owned, length, [*ends, values])
        ends[axis] = self.layout.blocks.xp.searchsorted(positions, ends[axis])
        sizes = [len(positions) if k == axis else n for k, n in enumerate(self.shape)]
        return block_of(self.layout, ends, values, block.dtype, sizes)


def _extracted(parent: Any, keys: tuple[Any, ...], axis: int, target: Any) -> Any:
    """Return this rank's block of ``parent[keys]``, which a layout cuts along an axis."""
    layout, block, key = parent.layout, parent.local(axis), keys[axis]
    local_keys = list(keys)
    if key is ALL:
        return block[local_keys[0] if len(keys) == 1 else tuple(local_keys)]
    length = parent.shape[axis]
    positions = layout.positions_of_own(key, length)
    local_keys[axis] = key[positions] - layout.piece(length)[0]
    part = block[local_keys[0] if len(keys) == 1 else tuple(local_keys)].new()
    if layout.communicator.size == 1:
        return part
    if parent.ndim == 2:
        rows = part.T if axis else part
        own = sent_rows(target, "extract", rows, positions, len(key))
        return own.T.new() if axis else own
    indices, values = layout.blocks.entries_of(part)
    indices = positions[indices]
    return owned_block(
        target, "extract", [indices], values, part.dtype, (len(key),), ascending=True
    )


def _entries_along(A: Any, axis: int) -> Any:
    """Return the number of entries in each row (axis 0) or column (1), on every rank."""
    layout, blocks, block = A.layout, A.layout.blocks, A.local(axis)
    lengths, index = np.diff(layout.boundaries(A.shape[axis])), blocks.index_dtype

    def encode(_: Any) -> EncodedColumns:
        counts = blocks.row_counts(block.T if axis else block)
        counts = counts.astype(index(A.shape[1 - axis] + 1), copy=False)
        return EncodedColumns([counts], [lengths], "counts")

    return layout.communicator.gather_columns("extract", block.shape[axis], encode)[0][0]


def _own_values(value: Any, positions: Any, is_whole: bool, parent: Any, region: Region) -> Any:
    """Return this rank's part of an array that every rank has, or the scalar itself."""
    if not hasattr(value, "__len__"):
        check_scalar(value)
        return value
    xp = parent.layout.blocks.xp
    values = xp.asarray(value)
    if values.shape != region.shape:
        raise DimensionMismatch(f"an array of {values.shape} into a region of {region.shape}")
    if is_whole:
        first, last = parent.layout.piece(parent.shape[parent.axis])
        return xp.moveaxis(xp.moveaxis(values, parent.axis, 0)[first:last], 0, parent.axis)
    return xp.moveaxis(xp.moveaxis(values, parent.axis, 0)[positions], 0, parent.axis)


def _length(key: Any) -> int:
    return len(key) if hasattr(key, "__len__") else 1


def _key(blocks: BlockEngine, key: Any, length: int) -> Any:
    """Return ``ALL``, an int or an array of indices."""
    if isinstance(key, slice):
        indices = blocks.xp.arange(*key.indices(length))
        return ALL if indices.size == length and (length == 0 or key.step in (None, 1)) else indices
    if hasattr(key, "is_empty"):  # a Scalar
        key = key.value
    if np.ndim(key) == 0 and not hasattr(key, "__iter__"):
        return int(checked_indices(block_engine("cpu"), [key], length)[0])
    return checked_indices(blocks, key, length)


def checked_indices(blocks: BlockEngine, indices: Any, length: int) -> Any:
    """Return indices as int64 or in the type of the engine; negative ones count from the end.

    Raises
    ------
    InvalidIndex
        One is out of range.
    """
    xp = blocks.xp
    array = xp.asarray(indices if hasattr(indices, "__len__") else list(indices))
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise DomainMismatch("indices are integers in one dimension")
    if array.dtype != blocks.index_dtype(length):
        array = array.astype(np.int64, copy=False)
    if not array.size:
        return array
    low, high = blocks.range_of(array)
    if not -length <= low <= high < length:
        raise InvalidIndex(f"an index is out of range for a length of {length:,}")
    return xp.where(array < 0, array + length, array) if low < 0 else array
