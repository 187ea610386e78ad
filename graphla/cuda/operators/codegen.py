"""The CUDA text of operators: names of types, literals, structs."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from graphla.errors import DomainMismatch

TYPES = {"BOOL": "bool", "FP32": "f32", "FP64": "f64"}
for bits in (8, 16, 32, 64):
    TYPES |= {f"INT{bits}": f"i{bits}", f"UINT{bits}": f"u{bits}"}
C_NAMES = {name.lower().replace("fp", "float"): text for name, text in TYPES.items()}


def ctype(dtype: Any) -> str:
    """Return the CUDA name of a python-graphblas dtype, or of the dtype of that name."""
    name = TYPES.get(getattr(dtype, "name", dtype))
    if name is None:
        raise DomainMismatch(f"engine 'cuda' has no dtype {dtype}")
    return name


def limits(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    """Return the smallest and the largest value of a dtype; infinities for floats."""
    if dtype.kind == "b":
        return False, True
    if dtype.kind == "f":
        return -np.inf, np.inf
    info = np.iinfo(dtype)
    return info.min, info.max


def struct(name: str, types: dict[str, str], arguments: str, body: str, members: str = "") -> str:
    """Return a struct whose function ``of`` computes `body`; `members` are its other members."""
    head = f"static __device__ __forceinline__ Z of({arguments})"
    typedefs = "".join(f"  typedef {text} {alias};\n" for alias, text in types.items())
    return (
        f'#include "functions.cuh"\nstruct {name} {{\n{typedefs}'
        f"  {head} {{ return (Z)({body}); }}\n{members}}};\n"
    )


def reads(text: str) -> frozenset[str]:
    """Return the operands and positions that an expression reads."""
    return frozenset(re.findall(r"\b(?:[xy][ij]?|[ij])\b", text))


def literal(value: Any) -> str:
    """Return a NumPy scalar as a C++ literal of the same value and type."""
    kind = C_NAMES[value.dtype.name]
    if value.dtype.kind == "f":
        if np.isnan(value):
            return f"not_a_number<{kind}>()"
        if np.isinf(value):
            return f"{'-' if value < 0 else ''}infinity<{kind}>()"
        return f"({kind}){float(value)!r}"
    n = int(value)
    if value.dtype.kind == "u":
        return f"({kind}){n}ull"
    return f"({kind})({n + 1}ll - 1)" if n == -(1 << 63) else f"({kind}){n}ll"
