"""``x.ss`` and ``cuda.ss``: what users call of python-graphblas's extensions of the standard.

Entries are chosen, sorted and moved by positions: array operations on coordinates, a row being a
line of a Matrix and all of a Vector being one line. Storage itself is not exposed: ``pack_*``,
``unpack``, ``serialize``, ``format`` and ``config`` are refused.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from graphblas import binary

from graphla.cuda.expressions.arguments import integer, operand, to_scalar, typed_operator
from graphla.cuda.expressions.scalar import Scalar
from graphla.cuda.expressions.statement import OUTPUTS, is_operand, translate_out_of_memory
from graphla.cuda.objects import exchange
from graphla.cuda.objects.formats import is_rowwise
from graphla.cuda.operators import graphblas_bridge
from graphla.cuda.runtime.device import device
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidValue, NotSupported

CHOICES = ("first", "last", "largest", "smallest", "random")


class Lines(NamedTuple):
    """The entries of an object as lines: sorted by line, and within one by position.

    Attributes
    ----------
    line, place, values : array
        Of each entry.
    num_lines, length : int
        Number of lines, and their length.
    """

    line: Any
    place: Any
    values: Any
    num_lines: int
    length: int

    @classmethod
    def of(cls, x: Any, by_row: bool = True) -> Lines:
        """Return the rows, or columns, of a Matrix, or the one line of a Vector."""
        if x.ndim == 1:
            place, values = x.to_coo()
            return cls(device.xp.zeros(place.size, np.int64), place, values, 1, x.size)
        A = x if by_row else x.T.new()
        line, place, values = A.to_coo()
        return cls(line, place, values, A.nrows, A.ncols)

    def ranks(self) -> tuple[Any, Any]:
        """Return the number of each entry within its line, and of the entries of the line."""
        xp = device.xp
        starts = xp.searchsorted(self.line, xp.arange(self.num_lines + 1))
        number = xp.arange(self.line.size)
        return number - starts[self.line], starts[self.line + 1] - starts[self.line]

    def taken(self, order: Any) -> Lines:
        """Return some of the entries, or others in their order."""
        return self._replace(
            line=self.line[order], place=self.place[order], values=self.values[order]
        )

    def ordered(self, how: str) -> Lines:
        """Return the entries of each line, best first."""
        xp = device.xp
        number = xp.arange(self.line.size)
        if how == "first":
            return self
        if how == "last":
            order = number[::-1]
        elif how == "random":
            order = xp.asarray(np.random.default_rng().permutation(self.line.size))
        else:
            order = self.values.argsort(kind="stable")
            order = order[::-1] if how == "largest" else order
        return self.taken(order[self.line[order].argsort(kind="stable")])

    def build(self, x: Any, dtype: Any, name: Any, by_row: bool, length: int | None = None) -> Any:
        """Return the entries as an object like x, of lines of another length if one is given."""
        length = self.length if length is None else length
        if x.ndim == 1:
            return OUTPUTS[1].from_coo(self.place, self.values, dtype, size=length, name=name)
        rows, columns, shape = self.line, self.place, (self.num_lines, length)
        if not by_row:
            rows, columns, shape = columns, rows, shape[::-1]
        make = OUTPUTS[2].from_coo
        return make(rows, columns, self.values, dtype, nrows=shape[0], ncols=shape[1], name=name)


def choice(how: Any, choices: tuple[str, ...]) -> str:
    """Return how entries are chosen, in lower case."""
    name = str(how).lower()
    if name not in choices:
        raise InvalidValue(f"how={how!r} is not one of {', '.join(choices)}")
    return name


class SuiteSparse:
    """What both ``v.ss`` and ``A.ss`` have."""

    __slots__ = ("_x",)
    _choices: tuple[str, ...] = CHOICES
    _ndim = 1

    def __init__(self, x: Any) -> None:
        self._x = x

    def __getattr__(self, name: str) -> Any:
        form = name.removeprefix("import_")
        if form != name and form in exchange.VECTOR_FORMATS + exchange.MATRIX_FORMATS:
            return lambda **arrays: exchange.imported(self._ndim, form, arrays)
        if name.startswith("_") or not graphblas_bridge.has_ss(name):
            raise AttributeError(f"ss has no attribute {name!r}")
        raise NotSupported(f"ss.{name} is about SuiteSparse's storage: engine 'cuda' has its own")

    def export(
        self, format: Any = None, *, sort: bool = False, give_ownership: bool = False,
        raw: bool = False, **options: Any,
    ) -> dict[str, Any]:  # fmt: skip
        """Return a dict of arrays of the device, copies, in a format of SuiteSparse."""
        graphblas_bridge.check_options(options)
        return exchange.exported(self._x, format)

    def import_any(self, **arrays: Any) -> Any:
        """Make an object of the arrays of :meth:`export`, which are copied."""
        return exchange.imported(self._ndim, None, arrays)

    @property
    def nbytes(self) -> int:
        """Bytes of device memory of the entries."""
        store = self._x._store
        names = ("indptr", "indices", "keys", "values", "bits", "words")
        arrays: list[Any] = [getattr(store, name, None) for name in names]
        return sum(int(a.nbytes) for a in arrays if hasattr(a, "nbytes"))

    @property
    @translate_out_of_memory
    def is_iso(self) -> bool:
        """Whether there are entries, and all have the same value."""
        values = self._x.to_coo()[-1]
        return bool(values.size and device.read_scalar((values == values[:1]).all()))

    @property
    @translate_out_of_memory
    def iso_value(self) -> Any:
        """The value of all entries, as a Scalar."""
        if not self.is_iso:
            raise InvalidValue("not iso: the entries have different values, or there is none")
        return Scalar(self._x.dtype, device.read_scalar(self._x.to_coo()[-1][:1]))

    def head(self, n: int = 10, dtype: Any = None, *, sort: bool = False) -> tuple[Any, ...]:
        """Return the coordinates and values of the first n entries, as arrays of the device."""
        return tuple(array[:n] for array in self._x.to_coo(dtype))

    def build_diag(self, other: Any, k: Any = 0, **options: Any) -> None:
        """Take the entries of the k-th diagonal of a Matrix, or of a Vector as a diagonal."""
        graphblas_bridge.check_options(options)
        found = other.diag(integer(k, "k"))
        if found.shape != self._x.shape:
            raise DimensionMismatch(f"a diagonal of {found.shape} into {self._x.shape}")
        self._x << found

    def iterkeys(self, seek: int = 0) -> Any:
        """Iterate over the positions of the entries, from number `seek` on."""
        return iter([key for key, _ in self._items(seek)])

    def itervalues(self, seek: int = 0) -> Any:
        """Iterate over the values, from number `seek` on."""
        return iter([value for _, value in self._items(seek)])

    def iteritems(self, seek: int = 0) -> Any:
        """Iterate over positions and values, from number `seek` on."""
        *keys, values = (device.to_host(a).tolist() for a in self._x.to_coo())
        names = keys[0] if len(keys) == 1 else list(zip(*keys, strict=True))
        items = list(zip(names, values, strict=True))
        if len(keys) > 1:
            items = [((*key,), value) for key, value in items]
        return iter(items[seek if seek >= -len(items) else 0 :])

    def _items(self, seek: int) -> list[Any]:
        return list(self.iteritems(seek))

    def _chosen(self, how: Any, k: Any, by_row: bool, name: Any) -> Any:
        """Return (up to) k entries of each line."""
        how, k = choice(how, self._choices), integer(k, "k")
        if k < 0:
            raise InvalidValue(f"negative k={k}")
        lines = Lines.of(self._x, by_row).ordered(how)
        rank, _ = lines.ranks()
        return lines.taken(rank < k).build(self._x, self._x.dtype, name, by_row)

    def _compacted(
        self, how: Any, length: Any, by_row: bool, reverse: bool, asindex: bool, name: Any
    ) -> Any:
        """Return the entries of each line at its first positions."""
        lines = Lines.of(self._x, by_row).ordered(choice(how, CHOICES))
        rank, total = lines.ranks()
        longest = int(device.read_scalar(total.max())) if total.size else 0
        length = longest if length is None else integer(length, "length")
        values = lines.place if asindex else lines.values
        inside = rank < length
        lines = lines._replace(place=rank, values=values).taken(inside)
        if reverse:
            kept = device.xp.minimum(total[inside], length)
            lines = lines._replace(place=kept - 1 - lines.place)
        dtype = "UINT64" if asindex else self._x.dtype
        return lines.build(self._x, dtype, name, by_row, length)

    def _sorted(
        self, op: Any, by_row: bool, values: bool, permutation: bool, options: Any
    ) -> tuple[Any, Any]:
        graphblas_bridge.check_options(options)
        typed = typed_operator(op, "binary", self._x.dtype)
        if typed.return_type.name != "BOOL":
            raise DomainMismatch(f"sort takes an operator that returns BOOL, not {typed!r}")
        if typed.name not in ("lt", "gt", "islt", "isgt"):
            raise NotSupported(f"sort by {typed!r}: engine 'cuda' sorts by lt and gt")
        lines, ascending = Lines.of(self._x, by_row), "lt" in typed.name
        keys = lines.values if ascending else lines.values[::-1]  # equal values stay in order
        order = keys.argsort(kind="stable")
        order = order if ascending else keys.size - 1 - order[::-1]
        lines = lines.taken(order[lines.line[order].argsort(kind="stable")])
        moved = lines._replace(place=lines.ranks()[0])
        come_from = moved._replace(values=lines.place)
        return (
            moved.build(self._x, self._x.dtype, None, by_row) if values else None,
            come_from.build(self._x, "UINT64", None, by_row) if permutation else None,
        )


class OfObject:
    """The attribute ``ss`` of a class and of its objects."""

    def __init__(self, kind: type[SuiteSparse]) -> None:
        self.kind = kind

    def __get__(self, x: Any, owner: Any = None) -> Any:
        return self.kind(x)


class VectorSuiteSparse(SuiteSparse):
    """``v.ss``."""

    __slots__ = ()

    @translate_out_of_memory
    def build_scalar(self, indices: Any, value: Any) -> None:
        """Fill an empty Vector with one value at the indices."""
        self._x.build(indices, _build_value(value))

    def concat(self, tiles: Any, **options: Any) -> None:
        """Take the entries of Vectors, one behind the other."""
        graphblas_bridge.check_options(options)
        self._x << concat(tiles, self._x.dtype)

    def split(self, chunks: Any, *, name: str | None = None, **options: Any) -> list[Any]:
        """Return Vectors of the given lengths: the parts of the Vector."""
        graphblas_bridge.check_options(options)
        (lengths,) = graphblas_bridge.chunk_lengths([chunks], self._x.shape)
        parts, start = [], 0
        for k, length in enumerate(lengths):
            label = None if name is None else f"{name}_{k}"
            parts.append(self._x[start : start + length].new(name=label))
            start += length
        return parts

    @translate_out_of_memory
    def reshape(
        self, nrows: Any, ncols: Any = None, order: str = "rowwise", *, name: str | None = None,
        **options: Any,
    ) -> Any:  # fmt: skip
        """Return the entries as those of a Matrix, filled by rows or columns."""
        graphblas_bridge.check_options(options)
        by_row, shape = is_rowwise(order), _shape(self._x.size, nrows, ncols)
        keys, values = self._x.to_coo()
        return _placed(keys, values, self._x.dtype, shape, by_row, name)

    @translate_out_of_memory
    def selectk(self, how: str, k: int, *, name: str | None = None) -> Any:
        """Return (up to) k entries: "first", "last", "largest", "smallest" or "random"."""
        return self._chosen(how, k, True, name)

    @translate_out_of_memory
    def compactify(
        self, how: str = "first", size: int | None = None, *, reverse: bool = False,
        asindex: bool = False, name: str | None = None,
    ) -> Any:  # fmt: skip
        """Return the entries, or with `asindex` their indices, at the first positions."""
        return self._compacted(how, size, True, reverse, asindex, name)

    @translate_out_of_memory
    def sort(
        self, op: Any = binary.lt, *, values: bool = True, permutation: bool = True, **options: Any
    ) -> tuple[Any, Any]:
        """Return the sorted values and the indices that they come from."""
        return self._sorted(op, True, values, permutation, options)


class MatrixSuiteSparse(SuiteSparse):
    """``A.ss``."""

    __slots__ = ()
    _choices = ("first", "last", "random")
    _ndim = 2

    @translate_out_of_memory
    def build_scalar(self, rows: Any, columns: Any, value: Any) -> None:
        """Fill an empty Matrix with one value at the positions."""
        self._x.build(rows, columns, _build_value(value))

    def concat(self, tiles: Any, **options: Any) -> None:
        """Take the entries of a list of rows of tiles."""
        graphblas_bridge.check_options(options)
        self._x << concat(tiles, self._x.dtype)

    def split(self, chunks: Any, *, name: str | None = None, **options: Any) -> list[list[Any]]:
        """Return a list of rows of tiles, of the given heights and widths."""
        graphblas_bridge.check_options(options)
        heights, widths = graphblas_bridge.chunk_lengths(chunks, self._x.shape)
        tiles, top = [], 0
        for i, height in enumerate(heights):
            row, left = [], 0
            for j, width in enumerate(widths):
                region = self._x[top : top + height, left : left + width]
                row.append(region.new(name=None if name is None else f"{name}_{i}x{j}"))
                left += width
            tiles.append(row)
            top += height
        return tiles

    @translate_out_of_memory
    def flatten(self, order: str = "rowwise", *, name: str | None = None, **options: Any) -> Any:
        """Return the rows, or columns, as one Vector."""
        v = self.reshape(-1, 1, order, **options)._as_vector()
        v.name = name
        return v

    @translate_out_of_memory
    def reshape(
        self, nrows: Any, ncols: Any = None, order: str = "rowwise", *, inplace: bool = False,
        name: str | None = None, **options: Any,
    ) -> Any:  # fmt: skip
        """Return the entries as those of a Matrix of another shape, or change its own."""
        graphblas_bridge.check_options(options)
        by_row = is_rowwise(order)
        shape = _shape(self._x.nrows * self._x.ncols, nrows, ncols)
        rows, columns, values = self._x.to_coo()
        keys = rows * self._x.ncols + columns if by_row else columns * self._x.nrows + rows
        C = _placed(keys, values, self._x.dtype, shape, by_row, name)
        if not inplace:
            return C
        self._x.resize(*shape)
        self._x << C
        return None

    @translate_out_of_memory
    def selectk(self, how: str, k: int, order: str = "rowwise", *, name: str | None = None) -> Any:
        """Return (up to) k entries of each row or column: "first", "last" or "random"."""
        return self._chosen(how, k, is_rowwise(order), name)

    @translate_out_of_memory
    def compactify(
        self, how: str = "first", k: int | None = None, order: str = "rowwise", *,
        reverse: bool = False, asindex: bool = False, name: str | None = None,
    ) -> Any:  # fmt: skip
        """Return the entries of each row, or column, at its first positions."""
        return self._compacted(how, k, is_rowwise(order), reverse, asindex, name)

    @translate_out_of_memory
    def sort(
        self, op: Any = binary.lt, order: str = "rowwise", *, values: bool = True,
        permutation: bool = True, **options: Any,
    ) -> tuple[Any, Any]:  # fmt: skip
        """Return the sorted values of each row or column, and the places that they come from."""
        return self._sorted(op, is_rowwise(order), values, permutation, options)


def _build_value(value: Any) -> Any:
    """Return a number, or the value of a Scalar; an empty one is refused."""
    if value is None:
        raise graphblas_bridge.EmptyObject("build_scalar takes a value")
    s = to_scalar(value)
    if s.value is None:
        raise graphblas_bridge.EmptyObject("build_scalar takes a value")
    return s.dtype.np_type.type(s.value)


def _shape(size: int, nrows: Any, ncols: Any) -> tuple[int, int]:
    """Return a shape of as many positions; one dimension may be -1."""
    wanted = nrows if ncols is None else (nrows, ncols)
    try:
        shape = np.broadcast_to(False, size).reshape(wanted).shape
    except (TypeError, ValueError) as error:
        raise InvalidValue(str(error)) from None
    if len(shape) != 2:
        raise InvalidValue(f"a shape has length 2, not {len(shape)}")
    return shape


def _placed(
    keys: Any, values: Any, dtype: Any, shape: tuple[int, int], by_row: bool, name: Any
) -> Any:
    """Return the Matrix of values at positions in its order of rows or columns."""
    rows, columns = divmod(keys, max(1, shape[1] if by_row else shape[0]))
    if not by_row:
        rows, columns = columns, rows
    make = OUTPUTS[2].from_coo
    return make(rows, columns, values, dtype, nrows=shape[0], ncols=shape[1], name=name)


# ---- cuda.ss


class Functions:
    """``cuda.ss``: functions of ``graphblas.ss`` on objects of the device."""

    @staticmethod
    def diag(
        x: Any, k: Any = 0, dtype: Any = None, *, name: str | None = None, **options: Any
    ) -> Any:
        """Return a Vector as the k-th diagonal of a Matrix, or the k-th diagonal of one."""
        graphblas_bridge.check_options(options)
        if not is_operand(x):
            raise DomainMismatch(f"diag takes a Vector or a Matrix, not {type(x).__name__}")
        return x.diag(integer(k, "k"), dtype=dtype, name=name)

    @staticmethod
    def concat(tiles: Any, dtype: Any = None, *, name: str | None = None, **options: Any) -> Any:
        """Return a Matrix of a list of rows of tiles, or a Vector of a list of Vectors.

        A Vector in a list of rows is a column; Scalars are Vectors of one entry.
        """
        graphblas_bridge.check_options(options)
        found = concat(tiles, dtype)
        found.name = name
        return found


ss = Functions()


@translate_out_of_memory
def concat(tiles: Any, dtype: Any) -> Any:
    """Return the object of tiles: of lists of rows a Matrix, of Vectors a Vector."""
    if not isinstance(tiles, (list, tuple)):
        raise DomainMismatch("tiles is a list, or a list of lists")
    if not tiles:
        raise InvalidValue("tiles must not be empty")
    is_matrix = isinstance(tiles[0], (list, tuple))
    if any(isinstance(row, (list, tuple)) != is_matrix for row in tiles):
        raise DomainMismatch("tiles must be lists of tiles, or all be Vectors")
    if not is_matrix:
        vectors = [operand("concat", _as_vector(v), 1) for v in tiles]
        return _concatenated([[v._as_matrix()] for v in vectors], dtype)._as_vector()
    if not tiles[0]:
        raise InvalidValue("tiles must not be empty")
    if len({len(row) for row in tiles}) > 1:
        raise InvalidValue("rows of tiles must all have the same length")
    return _concatenated([[_as_tile(x) for x in row] for row in tiles], dtype)


def _as_vector(x: Any) -> Any:
    """Return a Scalar as a Vector of one entry, and anything else as it is."""
    if not isinstance(x, Scalar):
        return x
    v = OUTPUTS[1](x.dtype, 1)
    v[0] = x
    return v


def _as_tile(x: Any) -> Any:
    x = _as_vector(x)
    return x._as_matrix() if getattr(x, "ndim", 0) == 1 else operand("concat", x, 2)


def _concatenated(tiles: list[list[Any]], dtype: Any) -> Any:
    heights, widths = [row[0].nrows for row in tiles], [x.ncols for x in tiles[0]]
    C = OUTPUTS[2](dtype or tiles[0][0].dtype, sum(heights), sum(widths))
    top = 0
    for row, height in zip(tiles, heights, strict=True):
        left = 0
        for x, width in zip(row, widths, strict=True):
            if x.shape != (height, width):
                raise DimensionMismatch(f"a tile of {x.shape} where {(height, width)} fits")
            C[top : top + height, left : left + width] << x
            left += width
        top += height
    return C
