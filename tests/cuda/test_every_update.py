"""Every operation with every kind of mask, accumulator and `replace`, beside python-graphblas.

The types rotate with the operation, the mask and the accumulator: each meets each of TYPES. The
kernel that writes an output under a mask is the same for many operations, so these have two
rotations, not four: half as many kernels are compiled.
Hypothesis draws entries and storage forms. Cases with other types and operators are drawn at random
by the tests of each operation.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import graphblas as gb
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.cuda.object_pairs import MASKS
from tests.cuda.random_updates import Case, equivalent, objects, update

TYPES = (  # of the two operands, and of the output
    (("BOOL", "BOOL"), "BOOL"),
    (("INT64", "INT64"), "INT64"),
    (("FP64", "FP64"), "FP64"),
    (("INT8", "FP32"), "INT32"),
)
OUTPUTS = [  # mask, accumulator, replace
    (mask, accum, replace)
    for mask, accum, replace in product(MASKS, (None, "plus"), (False, True))
    if mask != "none" or not replace
]


class Operation(NamedTuple):
    """A formula of operands of these shapes, and the shape of its result."""

    formula: object
    operands: tuple[tuple[int, ...], ...]
    shape: tuple[int, ...]


V, W, M, N, L = (6,), (4,), (6, 4), (4, 5), (6, 5)
add, times, plus_times = gb.monoid.plus, gb.binary.times, gb.semiring.plus_times
OPERATIONS = {
    "apply": Operation(lambda u: u.apply(gb.unary.identity), (V,), V),
    "apply matrix": Operation(lambda A: A.apply(gb.unary.identity), (M,), M),
    "apply right": Operation(lambda u: u.apply(gb.binary.plus, right=2), (V,), V),
    "apply left matrix": Operation(lambda A: A.apply(gb.binary.plus, left=2), (M,), M),
    "select": Operation(lambda u: u.select(gb.select.valuene, 1), (V,), V),
    "select matrix": Operation(lambda A: A.select(gb.select.tril, 0), (M,), M),
    "ewise_add": Operation(lambda u, v: u.ewise_add(v, add), (V, V), V),
    "ewise_add matrix": Operation(lambda A, B: A.ewise_add(B, add), (M, M), M),
    "ewise_mult": Operation(lambda u, v: u.ewise_mult(v, times), (V, V), V),
    "ewise_mult matrix": Operation(lambda A, B: A.ewise_mult(B, times), (M, M), M),
    "ewise_union": Operation(lambda u, v: u.ewise_union(v, times, 2, 3), (V, V), V),
    "mxv": Operation(lambda A, u: A.mxv(u, plus_times), (M, W), V),
    "vxm": Operation(lambda u, A: u.vxm(A, plus_times), (V, M), W),
    "mxm": Operation(lambda A, B: A.mxm(B, plus_times), (M, N), L),
    "transpose": Operation(lambda A: A.T, (M,), (4, 6)),
    "kronecker": Operation(lambda A, B: A.kronecker(B, times), ((2, 3), (2, 2)), (4, 6)),
    "reduce rows": Operation(lambda A: A.reduce_rowwise(add), (M,), V),
    "reduce columns": Operation(lambda A: A.reduce_columnwise(add), (M,), W),
    "extract": Operation(lambda u: u[[4, 0, 0, 3]], (V,), W),
    "extract matrix": Operation(lambda A: A[[5, 1], 1:], (M,), (2, 3)),
    "extract row": Operation(lambda A: A[2, :], (M,), W),
}


def cases():
    """Return all operations with all outputs, and their types."""
    for (k, name), (mask, accum, replace) in product(enumerate(OPERATIONS), OUTPUTS):
        dtypes, out = TYPES[(2 * k + MASKS.index(mask) + bool(accum)) % len(TYPES)]
        operands = dtypes[: len(OPERATIONS[name].operands)]
        yield Case(name, operands, out, mask, dtypes[0], accum, replace)


@pytest.mark.parametrize("case", list(cases()), ids=str)
@settings(max_examples=1, phases=[Phase.generate], derandomize=True)
@given(data=st.data())
def test_update(case, data):
    operation = OPERATIONS[case.op]
    shapes = zip(operation.operands, case.dtypes, strict=True)
    operands = [data.draw(objects(shape, dtype)) for shape, dtype in shapes]
    update(data, case, operation.formula, operands, operation.shape, check=equivalent(case))
