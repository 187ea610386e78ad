"""What a distributed Vector and a distributed Matrix share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from graphblas import binary, monoid
from graphblas.exceptions import OutputNotEmpty

from graphla.core.memory import require
from graphla.errors import DimensionMismatch
from graphla.execution.hints import set_storage_hint
from graphla.ranks.blocks.operators import (
    INDEX_SELECTIONS,
    INDEX_VALUES,
    index_shift,
    refuse_positional,
    shifted_thunk,
    typed_monoid,
)
from graphla.ranks.collectives.memory import available
from graphla.ranks.collectives.reductions import fold_values
from graphla.ranks.layout import Layout
from graphla.ranks.regions import checked_indices
from graphla.ranks.statements import (
    OUTPUTS,
    Expression,
    Mask,
    Operand,
    ScalarExpression,
    Update,
    check_mask,
    operand,
    parse_update,
)

ENTRY = 16  # bytes of an index and a value
T = TypeVar("T")


class Objects:
    """The constructors that a graph makes new objects with; they are cut by its layout."""

    __slots__ = ("layout",)

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    @property
    def costs_name(self) -> str:
        """The name under which the costs of these objects are registered."""
        return self.layout.blocks.costs_name

    @property
    def Scalar(self) -> Any:
        """The class of values, which every rank has."""
        return self.layout.blocks.objects.Scalar

    def Vector(self, dtype: Any, size: int) -> Any:
        """Return an empty Vector."""
        return OUTPUTS[1](self.layout, dtype, size)

    def Matrix(self, dtype: Any, nrows: int, ncols: int) -> Any:
        """Return an empty Matrix."""
        return OUTPUTS[2](self.layout, dtype, nrows, ncols)


class ElementWise(Operand):
    """Operations without communication: each rank has all operands of its block."""

    __slots__ = ()
    axis: int

    @property
    def objects(self) -> Objects:
        """Constructors of objects that are cut as this one."""
        return Objects(self.layout)

    def local(self, axis: int) -> Any:
        """Return this rank's block of the object, cut along an axis."""
        raise NotImplementedError

    def _start(self, axis: int) -> tuple[int, int]:
        """Return the first row and the first column of that block."""
        first = self.layout.piece(self.shape[axis])[0]
        return (first, 0) if axis == 0 else (0, first)

    def cut_as(self, layout: Layout) -> Any:
        """Return the object itself, or a copy that is cut as another layout does."""
        raise NotImplementedError

    def apply(self, op: Any, right: Any = None, *, left: Any = None) -> Expression:
        """op(x) for each entry x; with a scalar op(x, right) or op(left, x)."""
        refuse_positional(op)
        if left is not None:
            return self._expression("apply", op, lambda block: block.apply(op, left=left))
        op, shift = index_shift(op, INDEX_VALUES)
        if shift is None:
            return self._expression("apply", op, lambda block: block.apply(op, right))

        def evaluate(axis: int) -> Any:
            return self.local(axis).apply(op, shifted_thunk(right, shift, *self._start(axis)))

        return Expression(self.layout, "apply", self.shape, evaluate, self.axis, op=op)

    def select(self, op: Any, thunk: Any = None) -> Expression:
        """The entries for which op(x, thunk) is true."""
        op, shift = index_shift(op, INDEX_SELECTIONS)
        if shift is None:
            return self._expression("select", op, lambda block: block.select(op, thunk))

        def evaluate(axis: int) -> Any:
            return self.local(axis).select(op, shifted_thunk(thunk, shift, *self._start(axis)))

        return Expression(self.layout, "select", self.shape, evaluate, self.axis, op=op)

    def ewise_add(self, other: Any, op: Any = monoid.plus) -> Expression:
        """op(x, y) if both exist, else the one that does."""
        return self._both("ewise_add", other, op)

    def ewise_mult(self, other: Any, op: Any = binary.times) -> Expression:
        """op(x, y) if both exist."""
        return self._both("ewise_mult", other, op)

    def ewise_union(self, other: Any, op: Any, left_default: Any, right_default: Any) -> Expression:
        """op(x, y) if one exists; a default replaces the other."""
        return self._both("ewise_union", other, op, left_default, right_default)

    def _both(self, name: str, other: Any, op: Any, *defaults: Any) -> Expression:
        refuse_positional(op)
        other = operand(other, self.ndim, name)
        if other.shape != self.shape:
            raise DimensionMismatch(f"{name}: objects of {self.shape} and {other.shape}")
        self.layout.require_same_ranks(other.layout, name)

        def make(block: Any, other_block: Any) -> Any:
            return getattr(block, name)(other_block, op, *defaults)

        return self._expression(name, op, make, other)

    def _expression(
        self, name: str, op: Any, make: Callable[..., Any], other: Any = None
    ) -> Expression:
        """Return an expression; `make` makes that of this rank, of the operands' blocks.

        That of vectors is made once, so that the engine of the blocks, too, plans it once: in a
        loop a statement then takes half the time on the host. Not that of matrices, which may
        release a block.
        """
        kept: tuple[Any, ...] = ()  # the blocks and their expression

        def evaluate(axis: int) -> Any:
            nonlocal kept
            blocks = [self.local(axis)]
            if other is not None:
                blocks.append(other.cut_as(self.layout).local(axis))
            if kept and all(x is y for x, y in zip(blocks, kept, strict=False)):
                return kept[-1]
            made = make(*blocks)
            if self.ndim == 1:
                kept = (*blocks, made)
            return made

        return Expression(self.layout, name, self.shape, evaluate, self.axis, op=op)

    def _reduce(self, op: Any, allow_empty: bool, name: str) -> ScalarExpression:
        def work() -> Any:
            summed = typed_monoid(op, self.dtype)
            block = self.local(self.axis)
            local = getattr(block, name)(summed).new()
            total = fold_values(self.layout.communicator, name, local, summed)
            if total.is_empty and not allow_empty:  # so is every block
                return getattr(block, name)(summed, allow_empty=False).new()
            return total

        return ScalarExpression(self.layout, name, work)

    def _read_whole(self, name: str, read: Callable[[Any], T]) -> T:
        """Return ``read()`` of all entries; if a rank has no memory for that, all ranks raise."""
        whole, communicator = self.gathered(), self.layout.communicator
        found = communicator.guarded(name, lambda: read(whole))
        communicator.gather_words(name, 0)
        return found

    def _require_memory(self, entries: int) -> None:
        """Refuse to gather what does not fit on every rank."""
        what = f"all of a {type(self).__name__} of {' x '.join(map(str, self.shape))} on each rank"
        require(ENTRY * entries, available(), what, self.layout.blocks.name)

    def isequal(self, other: Any, *, check_dtype: bool = False) -> bool:
        """Whether shape, structure and values are those of `other`."""
        return self._all_ranks("isequal", other, check_dtype=check_dtype)

    def isclose(self, other: Any, **tolerances: Any) -> bool:
        """Whether shape and structure are those of `other`, and the values nearly so."""
        return self._all_ranks("isclose", other, **tolerances)

    def _all_ranks(self, name: str, other: Any, **options: Any) -> bool:
        other = operand(other, self.ndim, name)
        if other.shape != self.shape:
            return False
        communicator = self.layout.communicator

        def work() -> bool:
            local = other.cut_as(self.layout).local(self.axis)
            return bool(getattr(self.local(self.axis), name)(local, **options))

        return communicator.all(name, communicator.guarded(name, work))

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.shape))
        ranks = self.layout.communicator.size
        return f"<{type(self).__name__}: {shape} {self.dtype.name}, in blocks of {ranks} ranks>"


class Collection(ElementWise):
    """A Vector or a Matrix of which each rank has a block.

    ``C(mask, accum, replace) << expression`` updates it, on all ranks together.
    """

    __slots__ = ("__weakref__", "layout", "shape")
    layout: Layout
    shape: tuple[int, ...]
    _is_known_empty = False  # on all ranks; known without communication

    def __call__(
        self,
        *arguments: Any,
        mask: Any = None,
        accum: Any = None,
        replace: bool = False,
        **options: Any,
    ) -> Update:
        return parse_update(self, arguments, mask, accum, replace, options)

    def __lshift__(self, value: Any) -> None:
        Update(self, None, None, False, {}) << value

    @property
    def S(self) -> Mask:
        """The mask that is the structure."""
        return Mask(self, True)

    @property
    def V(self) -> Mask:
        """The mask that is the true values."""
        return Mask(self, False)

    @property
    def dtype(self) -> Any:
        """Type of the values."""
        return self.local(self.axis).dtype

    def dup(
        self, dtype: Any = None, *, clear: bool = False, mask: Any = None, name: str | None = None
    ) -> Any:
        """Return a copy, of another dtype if one is given, or an empty one of the same shape."""
        check_mask(mask, self.shape)

        def work() -> Any:
            local_mask = None if mask is None else mask.local(self.axis, self.layout)
            return self.local(self.axis).dup(dtype, clear=clear, mask=local_mask)

        block = self.layout.communicator.guarded("dup", work)
        copy = OUTPUTS[self.ndim]._of(self.layout, block, self.shape, self.axis)
        if clear:
            copy._cleared()
        return copy

    def clear(self) -> None:
        """Remove all entries."""
        self.layout.communicator.guarded("clear", lambda: self.local(self.axis).clear())
        self._changed()
        self._cleared()

    def store(self, form: str) -> None:
        """Keep the blocks as "sparse", "bitmap" or "full" from now on. No value changes."""

        def work() -> None:
            set_storage_hint(self.local(self.axis), form=form)

        self.layout.communicator.guarded("store", work)

    def _build(self, places: tuple[Any, ...], values: Any, dup_op: Any) -> None:
        """Fill the empty object with entries that every rank has: each takes its own."""
        xp, axis = self.layout.blocks.xp, self.axis
        values = xp.asarray(values)
        ends = [
            checked_indices(self.layout.blocks, x, n)
            for x, n in zip(places, self.shape, strict=True)
        ]
        lengths = [x.size for x in ends] + ([len(values)] if values.ndim else [])
        if len(set(lengths)) > 1:
            raise DimensionMismatch(f"build: indices and values of lengths {lengths}")

        def work() -> None:
            block = self.local(axis)
            if lengths[0] and block.nvals:  # on every rank that has entries, even without new ones
                raise OutputNotEmpty("build: the object has entries")
            own = self.layout.positions_of_own(ends[axis], self.shape[axis])
            local = [x[own] for x in ends]
            local[axis] -= self.layout.piece(self.shape[axis])[0]
            own_values = values[own] if values.ndim else xp.full(own.size, values)
            block.build(*local, own_values, dup_op=dup_op)

        self.layout.communicator.guarded("build", work)
        self._changed()

    def wait(self, how: str = "materialize") -> Any:
        """Complete the pending work of this rank's block."""
        self.local(self.axis).wait(how)
        return self

    def _changed(self) -> None:
        """Forget what was derived from the entries."""

    def _cleared(self) -> None:
        """Note that no rank has an entry."""
