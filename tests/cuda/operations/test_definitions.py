"""Definitions in front of kernels: types, masks, semirings, and atomics of the hardware."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest

from graphla.cuda import Vector
from graphla.cuda.operations import definitions


def test_types_and_constants():
    found = definitions.typedefs(A=np.dtype("float32"), B="i64")
    assert found == "typedef f32 A;\ntypedef i64 B;\n"
    assert definitions.constants(FLAG=True, SIZE=8) == "enum { FLAG = 1, SIZE = 8 };\n"


def test_a_mask_has_the_type_of_the_values_that_it_reads():
    v = Vector("INT16", 3)
    masks = (None, v.S, v.V, ~v.S, ~v.V)
    assert [definitions.mask_kind(m) for m in masks] == [0, 1, 2, 3, 4]
    types = ["bool", "bool", "i16", "bool", "i16"]
    assert [definitions.mask_type(m) for m in masks] == types


def test_a_semiring_defines_which_operands_it_reads():
    """`flip` exchanges them: then u is the left one."""
    op = gb.semiring.plus_first["INT64"]
    for flip in (False, True):
        text = definitions.semiring_definitions(op, "i64", "i64", False, flip, True)
        assert f"USES_A = {int(not flip)}, USES_U = {int(flip)}" in text
        assert f"A_ISO = 0, FLIP = {int(flip)}, TRANSPOSED = 1" in text


ATOMICS = {  # monoid, dtype -> the atomic, its type, and ORDERED for a kernel that maps floats
    ("plus", "INT64"): ("atomicAdd", "u64", 0),
    ("plus", "FP32"): ("atomicAdd", "f32", 0),
    ("plus", "INT8"): None,
    ("min", "UINT32"): ("atomicMin", "u32", 0),
    ("max", "INT64"): ("atomicMax", "i64", 0),
    ("min", "FP64"): ("atomicMin", "u64", 1),
    ("max", "FP32"): ("atomicMax", "u32", 2),
    ("times", "FP32"): None,
}


@pytest.mark.parametrize("key", ATOMICS, ids=" ".join)
def test_atomics_of_the_hardware(key):
    monoid, expected = getattr(gb.monoid, key[0])[key[1]], ATOMICS[key]
    native, ordered = definitions.native_atomic(monoid), definitions.ordered_atomic(monoid)
    if expected is None:
        assert (native, ordered) == ("", "")
        return
    function, number, order = expected
    text = f"#define NATIVE {function}\ntypedef {number} NativeZ;\n"
    assert native == ("" if order else text)
    assert ordered == f"{text}enum {{ ORDERED = {order} }};\n"
