"""The formula of an element-wise operation: definitions for kernels (elementwise_formula.cuh)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.operators import tables
from graphla.cuda.operators.codegen import ctype

NO_ACCUM = (
    "struct Accum { typedef C X; typedef C Y; typedef C Z; "
    "static __device__ C of(C x, C y, i64, i64, i64, i64) { return y; } };\n"
)


class Combine(NamedTuple):
    """The formula at a position: a template (elementwise_formula.cuh), its operator, T's type."""

    template: str
    op: Any
    dtype: Any  # python-graphblas dtype

    def text(self, swapped: bool) -> str:
        """Return the definitions of ``Combine`` and ``T``."""
        write = {"Apply": tables.unary, "Select": tables.indexunary}.get(
            self.template, tables.binary
        )
        if self.op is not None and self.op.opclass in ("IndexUnaryOp", "SelectOp"):
            write = tables.indexunary
        op = "" if self.op is None else write(self.op, "Op")
        argument = {"Constant": "", "Identity": "", "Union": f"<Op, {ctype(self.dtype)}>"}.get(
            self.template, "<Op>"
        )
        form = self.template + argument
        return (
            f'#include "elementwise_formula.cuh"\n{op}'
            f"typedef {f'Swapped<{form}>' if swapped else form} Combine;\n"
            f"typedef {ctype(self.dtype)} T;\n"
        )

    def is_full(self, x: Any, y: Any) -> bool:
        """Whether T has all entries, given the forms of its operands."""
        full = [z is not None and z._flat().form == "full" for z in (x, y)]
        if self.template == "Constant":
            return True
        if self.template == "Select":
            return False
        if self.template == "Intersection":
            return all(full)
        return any(full) if self.template == "Union" else full[0]

    def keeps(self, y: Any) -> bool:
        """Whether T has the entries of a list that is one operand, the other being y."""
        if self.template == "Intersection":
            return bool(y._flat().form == "full")
        return self.template not in ("Select", CONSTANT)


CONSTANT = "Constant"
FALSE = np.bool_(False)
Plan = Callable[[], None]
