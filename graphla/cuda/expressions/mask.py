"""Masks: which positions of an output may be written."""

from __future__ import annotations

from typing import Any, NamedTuple

from graphblas import replace as REPLACE

from graphla.cuda.storage.vector_formats import to_dense
from graphla.errors import DomainMismatch


class Mask:
    """The structure (``v.S``) or the true values (``v.V``) of an object, or, by ``~``, the rest.

    ``kind`` is the number that the kernels know it by (see mask.cuh).
    """

    __slots__ = ("complement", "kind", "parent", "structure")

    def __init__(self, parent: Any, structure: bool, complement: bool = False) -> None:
        self.parent, self.structure, self.complement = parent, structure, complement
        self.kind = (1 if structure else 2) + 2 * complement

    def __invert__(self) -> Mask:
        return Mask(self.parent, self.structure, not self.complement)

    def __repr__(self) -> str:
        return f"{'~' if self.complement else ''}{self.parent!r}.{'S' if self.structure else 'V'}"

    def probe(self) -> Probe:
        """Return what a kernel looks positions up in."""
        dense = self.parent._flat()
        if dense.form == "sparse":
            dense = to_dense(dense, self.parent._positions)
        return Probe(self.kind, None if self.structure else dense.values, dense.bits)

    def along(self) -> Probe:
        """Return what a kernel looks places up in, which are those of a list of the same keys."""
        return Probe(self.kind, None if self.structure else self.parent._flat().values)


class Probe(NamedTuple):
    """A mask as a kernel takes it."""

    kind: int = 0
    values: Any = None
    bits: Any = None


NO_MASK = Probe()


def output_options(
    arguments: tuple[Any, ...], mask: Any, accum: Any, replace: bool
) -> tuple[Any, Any, bool]:
    """Return mask, accumulator and replace of ``C(*arguments, mask=, accum=, replace=)``.

    Raises
    ------
    DomainMismatch
        One is given twice, an argument is none of these, or there is no mask to replace by.
    """
    for argument in arguments:
        if argument is None:
            continue
        if isinstance(argument, Mask):
            if mask is not None:
                raise DomainMismatch("masks: one at most")
            mask = argument
        elif argument is REPLACE:
            replace = True
        elif hasattr(type(argument), "_entries"):
            raise DomainMismatch(
                f"a mask is x.S, its structure, or x.V, its true values; not {argument!r}"
            )
        elif accum is not None:
            raise DomainMismatch("accumulators: one at most")
        else:
            accum = argument
    if replace and mask is None:
        raise DomainMismatch("replace=True is about what a mask leaves out: there is no mask")
    return mask, accum, bool(replace)


def probe(mask: Mask | None) -> Probe:
    """Return a mask, or none, as a kernel takes it."""
    return NO_MASK if mask is None else mask.probe()
