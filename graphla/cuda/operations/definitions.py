"""Definitions that launchers put in front of a kernel's text.

A kernel is written against names of types, constants and operators. The functions here return the
CUDA text that defines them: for masks and accumulators, for semirings, and for monoids that the
hardware has as an atomic operation.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from graphla.cuda.expressions.statement import Mask
from graphla.cuda.operators import tables
from graphla.cuda.operators.elementwise_formula import NO_ACCUM
from graphla.cuda.storage.vector_formats import cuda_type

WARP = 32  # threads


def typedefs(**types: Any) -> str:
    """Return one typedef for each keyword; a type is a dtype or the CUDA name of one."""
    return "".join(
        f"typedef {dtype if isinstance(dtype, str) else cuda_type(dtype)} {name};\n"
        for name, dtype in types.items()
    )


def constants(**values: int) -> str:
    """Return an enum of integers and flags."""
    return f"enum {{ {', '.join(f'{name} = {value:d}' for name, value in values.items())} }};\n"


def mask_type(mask: Mask | None) -> str:
    """Return the CUDA name of the type of the values that a mask reads; bool if it reads none."""
    return "bool" if mask is None or mask.structure else cuda_type(mask.parent.dtype.np_type)


def mask_kind(mask: Mask | None) -> int:
    """Return the kernels' number for the kind of a mask (mask.cuh)."""
    return 0 if mask is None else mask.kind


def update_definitions(mask: int, accum: Any, replace: bool) -> str:
    """Return what C<mask, accum, replace> needs: MASK, ACCUM, REPLACE and the struct Accum.

    `mask` is the kind of the mask. The type C must be defined before.
    """
    flags = constants(MASK=mask, ACCUM=accum is not None, REPLACE=replace)
    return flags + (NO_ACCUM if accum is None else tables.binary(accum, "Accum"))


@cache
def semiring_definitions(op: Any, a: str, u: str, iso: bool, flip: bool, transposed: bool) -> str:
    """Return the semiring and the product of an entry of A and one of u (spmv_multiply.cuh).

    `a` and `u` are the CUDA names of their types; `iso`: A has one value for all entries; `flip`:
    u is the left operand; `transposed`: rows of A' are read.
    """
    reads = tables.uses(op)
    uses_a, uses_u = ("y", "x") if flip else ("x", "y")
    return (
        tables.semiring(op)
        + f"typedef {a} A; typedef {u} U; typedef Add::Z Z;\n"
        + constants(
            A_ISO=iso,
            FLIP=flip,
            TRANSPOSED=transposed,
            USES_A=uses_a in reads,
            USES_U=uses_u in reads,
        )
    )


def native_atomic(monoid: Any) -> str:
    """Return NATIVE and NativeZ (atomics.cuh) if the hardware has an atomic for the monoid."""
    name, sum_type = tables.name_of(monoid), cuda_type(monoid.return_type.np_type)
    integers = ("i32", "u32", "i64", "u64")
    if name == "plus" and sum_type in (*integers, "f32", "f64"):
        function, sum_type = "atomicAdd", "u64" if sum_type == "i64" else sum_type
    elif name in ("min", "max") and sum_type in integers:
        function = f"atomic{name.capitalize()}"
    else:
        return ""
    return f"#define NATIVE {function}\ntypedef {sum_type} NativeZ;\n"


def ordered_atomic(monoid: Any) -> str:
    """Return :func:`native_atomic`, and for min and max of floats the atomic on unsigned integers.

    ORDERED selects how the kernel (spmv_sliced_ell.cu) maps floats to integers of the same order:
    0 not at all, 1 for min, 2 for max.
    """
    name, sum_dtype = tables.name_of(monoid), monoid.return_type.np_type
    if name in ("min", "max") and sum_dtype.kind == "f":
        unsigned = f"u{8 * sum_dtype.itemsize}"
        text = f"#define NATIVE atomic{name.capitalize()}\ntypedef {unsigned} NativeZ;\n"
        return text + constants(ORDERED=1 if name == "min" else 2)
    text = native_atomic(monoid)
    return text and text + constants(ORDERED=0)
