"""Matrix: python-graphblas's, in blocks of rows or of columns of the ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
from graphblas import binary, monoid, unary
from graphblas.dtypes import BOOL

from graphla.errors import DimensionMismatch, OutOfMemory
from graphla.ranks import products, regions
from graphla.ranks.collection import Collection, ElementWise
from graphla.ranks.collectives.exchange import block_along, redistributed_rows
from graphla.ranks.collectives.gather import gather_matrix
from graphla.ranks.collectives.gather_order import GatherOrder, find_gather_order
from graphla.ranks.layout import Layout
from graphla.ranks.statements import OUTPUTS, Expression, RedistributedRows, ScalarExpression


class MatrixLike(ElementWise):
    """What a Matrix and the transpose of one can both do."""

    __slots__ = ()
    ndim = 2
    nvals: int
    transposed_of: Any = None

    def _make_both_blocks(self) -> bool:
        """Let all ranks keep a symmetric matrix by rows and by columns; return whether they do.

        The first call makes the second block, and the answer is kept until the matrix changes. All
        ranks call it together.
        """
        return False

    @property
    def nrows(self) -> int:
        """Number of rows."""
        return self.shape[0]

    @property
    def ncols(self) -> int:
        """Number of columns."""
        return self.shape[1]

    def mxm(self, other: Any, op: Any = "plus_times") -> Expression:
        """self other over a semiring."""
        return products.mxm(self, other, op)

    def mxv(self, u: Any, op: Any = "plus_times") -> Expression:
        """self u over a semiring."""
        return products.mxv(self, u, op)

    def reduce_rowwise(self, op: Any = monoid.plus) -> Expression:
        """The sum of each row over a monoid: a Vector."""
        return products.reduce_along(self, op, 0, "reduce_rowwise")

    def reduce_columnwise(self, op: Any = monoid.plus) -> Expression:
        """The sum of each column over a monoid: a Vector."""
        return products.reduce_along(self, op, 1, "reduce_columnwise")

    def reduce_scalar(self, op: Any = monoid.plus, *, allow_empty: bool = True) -> ScalarExpression:
        """The sum of all entries over a monoid; without entries it is empty, or the identity."""
        return self._reduce(op, allow_empty, "reduce_scalar")

    def kronecker(self, other: Any, op: Any = binary.times) -> Expression:
        """The Kronecker product with `other`."""
        return products.kronecker(self, other, op)

    def diag(self, k: int = 0) -> Any:
        """Return the diagonal of a square matrix as a Vector."""

        def evaluate(_: int) -> Any:
            first = self.layout.piece(self.nrows)[0]
            return self.local(0).diag(first + k)

        return Expression(self.layout, "diag", self.shape[:1], evaluate).new()

    def __getitem__(self, keys: Any) -> Any:
        return regions.Region(self, keys)

    def to_coo(
        self, dtype: Any = None, *, rows: bool = True, columns: bool = True, values: bool = True,
        sort: bool = True,
    ) -> tuple[Any, Any, Any]:  # fmt: skip
        """Return rows, columns and values of all entries, on every rank."""
        options = {"rows": rows, "columns": columns, "values": values, "sort": sort}
        return self._read_whole("to_coo", lambda whole: whole.to_coo(dtype, **options))

    def to_csr(self, dtype: Any = None, *, sort: bool = True) -> tuple[Any, Any, Any]:
        """Return indptr, indices and values of all entries, on every rank."""
        return self._read_whole("to_csr", lambda whole: whole.to_csr(dtype, sort=sort))

    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> Any:
        """Return all values as an array on every rank; missing entries get `fill_value`."""
        return self._read_whole("to_dense", lambda whole: whole.to_dense(fill_value, dtype))

    def gathered(self) -> Any:
        """Return all entries as a Matrix of the engine of the blocks, on every rank."""
        entries, communicator = self.nvals, self.layout.communicator

        def work() -> Any:
            self._require_memory(entries + self.nrows)
            whole = gather_matrix(self, "gather")
            return whole.dup() if communicator.size == 1 else whole  # one rank has all in its block

        return communicator.guarded("gather", work)


class TransposedMatrix(MatrixLike):
    """The transpose of a Matrix: ``A.T``. A view: its rows are cut where those columns are."""

    __slots__ = ("T",)

    def __init__(self, A: Matrix) -> None:
        self.T = A

    layout = property(lambda self: self.T.layout)
    shape = property(lambda self: self.T.shape[::-1])
    dtype = property(lambda self: self.T.dtype)
    nvals = property(lambda self: self.T.nvals)
    axis = property(lambda self: 1 - self.T.axis)
    transposed_of = property(lambda self: self.T)

    def local(self, axis: int) -> Any:
        """Return this rank's block of the transpose, cut along an axis: a view."""
        return self.T.local(1 - axis).T

    def new(self, dtype: Any = None, *, mask: Any = None, name: str | None = None) -> Any:
        """Return the transpose as a new Matrix."""
        return Expression(self.layout, "transpose", self.shape, self.local, self.axis).new(
            dtype, mask=mask
        )

    dup = new

    def cut_as(self, layout: Layout) -> TransposedMatrix:
        """Return the transpose, as another layout cuts it."""
        return self.T.cut_as(layout).T


class Matrix(MatrixLike, Collection):
    """A sparse matrix of which each rank has the rows, or the columns, of its vertices.

    All ranks call its methods together. ``to_coo``, ``to_csr`` and ``to_dense`` gather all entries
    on every rank; a product may gather one of its operands.

    Attributes
    ----------
    axis : int
        0 if the matrix is cut into rows, 1 if into columns. A new one is cut along the longer.
    layout : Layout
        Where it is cut. That of a matrix without entries changes to that of a product whose rows
        were shared out anew (:mod:`graphla.ranks.balance`).
    """

    __slots__ = (
        "_blocks", "_derived", "_full_gathers", "_has_room", "_is_symmetric", "_nvals", "axis",
    )  # fmt: skip
    _blocks: list[Any]  # this rank's block of the rows, and of the columns, or None
    _has_room: bool  # False once there was no memory for the second block
    _is_symmetric: bool  # known to be
    _nvals: int | None  # if it is known
    _full_gathers: int  # of vectors for products since the matrix was changed
    _derived: dict[Any, Any]

    def __init__(self, layout: Layout, dtype: Any, nrows: int, ncols: int) -> None:
        axis = int(ncols > nrows)
        shape = [int(nrows), int(ncols)]
        first, last = layout.piece(shape[axis])
        local_shape = list(shape)
        local_shape[axis] = last - first
        block = layout.blocks.objects.Matrix(dtype, *local_shape)
        self._set(layout, block, tuple(shape), axis)
        self._cleared()

    def _set(self, layout: Layout, block: Any, shape: tuple[int, ...], axis: int) -> None:
        self.layout, self.shape, self.axis = layout, shape, axis
        self._blocks = [None, None]
        self._blocks[axis] = block
        self._is_symmetric, self._nvals, self._derived = False, None, {}
        self._has_room, self._full_gathers = True, 0

    @classmethod
    def _of(
        cls, layout: Layout, block: Any, shape: tuple[int, ...], axis: int, symmetric: bool = False
    ) -> Matrix:
        """Return the Matrix of which this rank has this block."""
        A = cls.__new__(cls)
        A._set(layout, block, tuple(shape), axis)
        A._is_symmetric = symmetric
        return A

    @classmethod
    def diagonal(cls, v: Any) -> Matrix:
        """Return the square Matrix with the values of a Vector on its diagonal."""

        def work() -> Any:
            indices, values = v.block.to_coo()
            return v.layout.blocks.objects.Matrix.from_coo(
                indices, indices.astype(np.int64) + v.first, values, v.dtype,
                nrows=v.block.size, ncols=v.size,
            )  # fmt: skip

        block = v.layout.communicator.guarded("diag", work)
        return cls._of(v.layout, block, (v.size, v.size), 0, symmetric=True)

    @property
    def T(self) -> TransposedMatrix:
        """The transpose: a view."""
        return TransposedMatrix(self)

    @property
    def nvals(self) -> int:  # type: ignore[override]
        """Number of entries on all ranks."""
        if self._nvals is None:
            communicator, block = self.layout.communicator, self._blocks[self.axis]
            local = communicator.guarded("nvals", lambda: block.nvals)
            self._nvals = communicator.sum("nvals", local)
        return self._nvals

    def local(self, axis: int) -> Any:
        """Return this rank's block of the matrix, cut along an axis.

        That of the other axis than its own is made by an exchange, and kept until the matrix
        changes.
        """
        if self._blocks[axis] is None:
            if self._is_symmetric:
                self._blocks[axis] = self._blocks[1 - axis].T.new()
            else:
                self._blocks[axis] = block_along(self, axis)
        block = self._blocks[axis]
        if 0 in block.shape:  # SuiteSparse 9.4.5 sums entries of a full matrix that has none
            return self.layout.blocks.objects.Matrix(block.dtype, *block.shape)
        return block

    def local_if_it_fits(self, axis: int) -> Any:
        """Return :meth:`local`, or None if this rank has no memory for the second block.

        The ranks may differ in this if the matrix is symmetric, as they exchange nothing then;
        otherwise a lack of memory is raised.
        """
        if not self._is_symmetric:
            return self.local(axis)
        try:
            return self.local(axis) if self._has_room or self._blocks[axis] is not None else None
        except OutOfMemory:
            self._has_room = False  # not tried again until the matrix changes
            return None

    def _make_both_blocks(self) -> bool:
        communicator = self.layout.communicator
        if communicator.size == 1 or not (
            self._is_symmetric and communicator.blocks.keeps_both_blocks
        ):
            return False
        return bool(self.derive(_agree_on_both_blocks))

    def _count_full_gather(self) -> None:
        """Note that the values of a full vector were gathered for a product with the matrix."""
        self._full_gathers += 1

    def _gather_order(self) -> GatherOrder | None:
        """Return the order in which values of full vectors are gathered; None: as they are."""
        enough = self.layout.blocks.products_before_order
        if enough is None or self._full_gathers < enough:
            return None
        try:
            return self.derive(_find_gather_order) or None
        except MemoryError:  # on all ranks
            self._derived[_find_gather_order] = ()
            return None

    def cut_as(self, layout: Layout) -> Matrix:
        """Return the Matrix itself, or a copy that is cut as another layout does."""
        axis, length = self.axis, self.shape[self.axis]
        if self.layout.cuts_as(layout, length) and self.layout.cuts_as(
            layout, self.shape[1 - axis]
        ):
            return self
        rows = self.local(axis).T if axis else self.local(axis)
        block = redistributed_rows(self.layout, rows, layout, length)
        block = block.T.new() if axis else block
        return Matrix._of(layout, block, self.shape, axis, symmetric=self._is_symmetric)

    def _changed(self) -> None:
        self._blocks[1 - self.axis] = None
        self._is_symmetric, self._nvals, self._derived = False, None, {}
        self._has_room, self._full_gathers = True, 0

    def _cleared(self) -> None:
        self._nvals = 0

    @property
    def _is_known_empty(self) -> bool:  # type: ignore[override]
        """Whether no rank has an entry, if that is known."""
        return self._nvals == 0

    def _set_redistributed(self, rows: RedistributedRows) -> None:
        """Become a result, cut into rows, and cut as it is from now on."""
        block = rows.block if rows.block.dtype == self.dtype else rows.block.dup(self.dtype)
        self._set(rows.layout, block, self.shape, 0)

    def derive(self, make: Any) -> Any:
        """Return ``make(self)``, kept until the matrix changes; all ranks call it together.

        None is not kept. If a rank fails, all ranks raise, and none keeps anything.
        """
        if make not in self._derived:
            communicator = self.layout.communicator
            found = communicator.guarded("derived", lambda: make(self))
            communicator.gather_words("derived", 0)
            if found is None:
                return None
            self._derived[make] = found
        return self._derived[make]

    def derived_or_none(self, make: Any) -> Any:
        """Return what ``derive(make)`` has kept, or None; a rank may call this alone."""
        return self._derived.get(make)

    def __setitem__(self, keys: Any, value: Any) -> None:
        self._region(keys) << value

    def _region(self, keys: Any) -> Any:
        return regions.Region(self, keys)

    def as_adjacency(self, *, copy: bool) -> Matrix:
        """Return the matrix as that of a graph: square, and all True if it is Boolean."""
        if self.nrows != self.ncols:
            raise DimensionMismatch(f"an adjacency matrix is square, not {self.shape}")
        self.wait()
        if self.dtype == BOOL and not self.reduce_scalar(monoid.land).new().get(True):
            return self.apply(unary.one).new()
        return self.dup() if copy else self

    # ---- arrays

    def build(self, rows: Any, columns: Any, values: Any, *, dup_op: Any = None) -> None:
        """Fill an empty Matrix with entries that every rank has."""
        self._build((rows, columns), values, dup_op)

    def from_coo(
        self, rows: Any, columns: Any, values: Any = 1.0, dtype: Any = None, *,
        nrows: int, ncols: int, dup_op: Any = None,
    ) -> Matrix:  # fmt: skip
        """Return a new Matrix of entries that every rank has."""
        values = self.layout.blocks.xp.asarray(values)
        out = Matrix(self.layout, dtype or values.dtype, nrows, ncols)
        out.build(rows, columns, values, dup_op=dup_op)
        return out

    def from_csr(
        self, indptr: Any, indices: Any, values: Any = 1.0, dtype: Any = None, *, ncols: int
    ) -> Matrix:
        """Return a new Matrix of compressed sparse rows that every rank has."""
        xp = self.layout.blocks.xp
        pointers, count = xp.asarray(indptr).astype(np.int64), len(indices)
        rows = xp.searchsorted(pointers, xp.arange(count), side="right") - 1
        return self.from_coo(rows, indices, values, dtype, nrows=len(indptr) - 1, ncols=ncols)


def _agree_on_both_blocks(A: Matrix) -> bool:
    """Make the second block of a symmetric matrix on all ranks; return whether all have it.

    As much memory as a block takes has to be left for the forms in which products store a block. If
    one rank has less, the others release theirs.
    """
    communicator, axis, other = A.layout.communicator, A.axis, 1 - A.axis
    is_new = A._blocks[other] is None

    def work() -> bool:
        if not is_new:
            return True
        if communicator.blocks.available_memory() < 2 * A.local(axis).ss.nbytes:
            return False
        return A.local_if_it_fits(other) is not None

    all_have = communicator.all("second block", communicator.guarded("second block", work))
    if is_new and not all_have:
        A._blocks[other] = None
    return all_have


def _find_gather_order(A: Matrix) -> Any:
    return find_gather_order(A) or ()  # None is not kept


OUTPUTS[2] = Matrix
