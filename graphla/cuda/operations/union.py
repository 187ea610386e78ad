"""eWiseUnion: op(x, y) over the union of two structures, a default for each that is missing.

T = op(x, right) where y is missing, op(left, y) where x is, op(x, y) where both are.
"""

from __future__ import annotations

from typing import Any

from graphla.cuda import bridge, resolve
from graphla.cuda.expression import Combine, Elementwise, Expression


class Union(Expression):
    """op(x, y) where x or y has an entry.

    Parameters
    ----------
    x, y : Vector or Matrix
        Of one shape.
    op : binary operator
    left, right : scalar
        Stand for an entry that x, or y, has not.
    """

    __slots__ = ("parts",)

    def __init__(self, x: Any, y: Any, op: Any, left: Any, right: Any) -> None:
        left, right = resolve.scalar(left), resolve.scalar(right)
        op = _typed(op, x.dtype, y.dtype, left.dtype, right.dtype)
        z = op.return_type
        super().__init__("ewise_union", x.shape, z, op, (x, y))
        self.parts = (
            Elementwise("ewise_mult", "Both", z, op, (x, y)),
            Elementwise("apply", "BindSecond", z, op, (x,), right),
            Elementwise("apply", "BindFirst", z, op, (y,), left),
        )

    def run(self, C: Any, mask: Any = None, accum: Any = None, replace: bool = False) -> None:
        """Compute C<mask, accum, replace> = union."""
        first = bridge.resolve("first", "binary", self.dtype, self.dtype)
        either = Combine("Either", first, self.dtype)
        both, left, right = (part.new(mask=mask) for part in self.parts)
        alone = left.ewise_add(right, first).new()
        C._elementwise(either, (both, alone), None, mask, accum, replace)


def _typed(op: Any, x: Any, y: Any, left: Any, right: Any) -> Any:
    """Return the typed operator: each default has a say in the type of its side."""
    bridge.resolve(op, "binary", x, y)  # refuses what it does not take
    one = bridge.resolve(op, "binary", x, right)
    return common(op, one, bridge.resolve(op, "binary", left, y))


def common(op: Any, one: Any, other: Any) -> Any:
    """Return the typed operator for what two typed ones take: of (x, right) and (left, y)."""
    if one is other:
        return one
    first = bridge.unify(one.type, other.type, is_right_scalar=True)
    second = bridge.unify(one.type2, other.type2, is_left_scalar=True)
    return bridge.resolve(op, "binary", first, second)
