"""CUDA definitions of semirings, written by hand, for tests that compile kernels alone."""

from __future__ import annotations

BINARY = """struct Multiply {{ typedef {x} X; typedef {x} Y; typedef {z} Z;
  static __device__ Z of(X x, Y y, i64 xi, i64 xj, i64 yi, i64 yj) {{ return {of}; }} }};
"""
MONOID = """struct Add {{ typedef {z} Z; static const bool TERMINAL = {terminal};
  static __device__ Z of(Z x, Z y) {{ return {of}; }}
  static __device__ Z identity() {{ return {identity}; }}
  static __device__ bool done(Z x) {{ return {done}; }} }};
"""
LOW = {"i64": "-9223372036854775807LL - 1", "f32": "(-1.f / 0.f)"}
HIGH = {"i64": "9223372036854775807LL", "f32": "(1.f / 0.f)"}


def semiring(x, multiply, z, add, identity, done=None):
    return BINARY.format(x=x, z=z, of=multiply) + MONOID.format(
        z=z, of=add, identity=identity, done=done or "false", terminal="true" if done else "false"
    )


MIN = "x < y ? x : y"
TEXT = {  # (name, dtype of the operands) -> (definitions, dtype of the result, operands read)
    ("plus_times", "FP32"): (semiring("f32", "x * y", "f32", "x + y", "0"), "float32", "xy"),
    ("plus_times", "FP64"): (semiring("f64", "x * y", "f64", "x + y", "0"), "float64", "xy"),
    ("plus_first", "INT64"): (semiring("i64", "x", "i64", "x + y", "0"), "int64", "x"),
    ("min_plus", "INT64"): (
        semiring("i64", "x + y", "i64", MIN, HIGH["i64"], f"x == {LOW['i64']}"), "int64", "xy"
    ),
    ("min_plus", "FP32"): (
        semiring("f32", "x + y", "f32", MIN, HIGH["f32"], f"x == {LOW['f32']}"), "float32", "xy"
    ),
    ("plus_pair", "INT64"): (semiring("i64", "1", "i64", "x + y", "0"), "int64", ""),
    ("min_secondi", "INT64"): (semiring("i64", "yi", "i64", MIN, HIGH["i64"]), "int64", ""),
    ("min_firstj", "INT64"): (semiring("i64", "xj", "i64", MIN, HIGH["i64"]), "int64", ""),
    ("max_firsti", "INT64"): (
        semiring("i64", "xi", "i64", "x > y ? x : y", LOW["i64"]), "int64", ""
    ),
    ("max_secondj", "INT64"): (
        semiring("i64", "yj", "i64", "x > y ? x : y", LOW["i64"]), "int64", ""
    ),
    ("any_pair", "BOOL"): (semiring("bool", "true", "bool", "y", "false", "true"), "bool", ""),
    ("any_secondi", "INT64"): (semiring("i64", "yi", "i64", "y", "0", "true"), "int64", ""),
    ("lor_land", "BOOL"): (
        semiring("bool", "x && y", "bool", "x || y", "false", "x"), "bool", "xy"
    ),
}  # fmt: skip

NATIVE = {  # monoids with an atomic operation in hardware; the others use compare-and-swap
    ("plus_times", "FP32"): "#define NATIVE atomicAdd\ntypedef f32 NativeZ;\n",
    ("plus_first", "INT64"): "#define NATIVE atomicAdd\ntypedef u64 NativeZ;\n",
    ("min_plus", "INT64"): "#define NATIVE atomicMin\ntypedef i64 NativeZ;\n",
}
