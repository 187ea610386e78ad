"""The formula T = f(x, y, s) of an element-wise operation, as definitions of its kernels.

See elementwise_formula.cuh for the templates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.operators import tables
from graphla.cuda.operators.codegen import ctype

INDEX_OPERATORS = ("IndexUnaryOp", "SelectOp")
FALSE = np.bool_(False)  # for a scalar that no template reads
NO_ACCUM = (
    "struct Accum { typedef C X; typedef C Y; typedef C Z; "
    "static __device__ C of(C x, C y, i64, i64, i64, i64) { return y; } };\n"
)
Plan = Callable[[], None]


class Formula(NamedTuple):
    """The formula of T at one position.

    Attributes
    ----------
    template : str
        A struct of elementwise_formula.cuh.
    op : typed operator or None
    dtype : dtype of python-graphblas
        Of T.
    """

    template: str
    op: Any
    dtype: Any

    def definitions(self, swapped: bool) -> str:
        """Return the CUDA types ``Combine``, the formula, and ``T``; `swapped`: f(y, x, s)."""
        struct = tables.binary
        if self.template == "Select" or (
            self.op is not None and self.op.opclass in INDEX_OPERATORS
        ):
            struct = tables.indexunary
        elif self.template == "Apply":
            struct = tables.unary
        op = "" if self.op is None else struct(self.op, "Op")
        arguments = {"Constant": "", "Identity": "", "Union": f"<Op, {ctype(self.dtype)}>"}
        formula = self.template + arguments.get(self.template, "<Op>")
        return (
            f'#include "elementwise_formula.cuh"\n{op}'
            f"typedef {f'Swapped<{formula}>' if swapped else formula} Combine;\n"
            f"typedef {ctype(self.dtype)} T;\n"
        )

    def is_full(self, x: Any, y: Any) -> bool:
        """Whether T has an entry at each position, by the storage forms of the operands."""
        full = [z is not None and z._flat().form == "full" for z in (x, y)]
        if self.template == "Constant":
            return True
        if self.template == "Select":
            return False
        if self.template == "Intersection":
            return all(full)
        return any(full) if self.template == "Union" else full[0]

    def keeps_structure(self, y: Any) -> bool:
        """Whether T has the entries of one operand, a list; `y` is the other one, if there is."""
        if self.template == "Intersection":
            return bool(y._flat().form == "full")
        return self.template not in ("Select", "Constant")
