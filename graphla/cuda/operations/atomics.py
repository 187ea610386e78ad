"""The hardware's atomic operations that sum over a monoid."""

from __future__ import annotations

from typing import Any

from graphla.cuda.operators import tables
from graphla.cuda.storage.vector_formats import element


def native(monoid: Any) -> str:
    """Return the definitions of the hardware's atomic operation (atomics.cuh), if it has one."""
    name, z = tables.name_of(monoid), element(monoid.return_type.np_type)
    integers = ("i32", "u32", "i64", "u64")
    if name == "plus" and z in (*integers, "f32", "f64"):
        function, z = "atomicAdd", "u64" if z == "i64" else z
    elif name in ("min", "max") and z in integers:
        function = f"atomic{name.capitalize()}"
    else:
        return ""
    return f"#define NATIVE {function}\ntypedef {z} NativeZ;\n"


def ordered(monoid: Any) -> str:
    """Return the same where floats may be words of the same order, too (spmv_sliced_ell.cu)."""
    name, z = tables.name_of(monoid), monoid.return_type.np_type
    order = 0
    text = native(monoid)
    if name in ("min", "max") and z.kind == "f":
        order = 1 if name == "min" else 2
        text = f"#define NATIVE atomic{name.capitalize()}\ntypedef u{8 * z.itemsize} NativeZ;\n"
    return text and f"{text}enum {{ ORDERED = {order} }};\n"
