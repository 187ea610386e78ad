"""Units of kernels: kernels of one unit do not see each other's names, and the list is kept."""

from __future__ import annotations

import ctypes

import pytest

from tests.cuda import kernel_units
from tests.cuda.kernel_units import Program, build_unit, compiles, load

PREAMBLE = "#define __global__\n"
KERNEL = """#include <cstdint>
#define FACTOR {factor}
int64_t scaled(int64_t x) {{ return x * FACTOR; }}
extern "C" __global__ void scale(int64_t* x) {{ x[0] = ::scaled(x[0]); }}
"""


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_units, "CACHE", tmp_path)
    caches = kernel_units.precompiled_headers, kernel_units.load
    for cached in caches:
        cached.cache_clear()
    yield tmp_path
    for cached in caches:
        cached.cache_clear()


def program(factor):
    return Program(PREAMBLE, KERNEL.format(factor=factor))


def result(made, x):
    """Run the kernel of a program on one number."""
    library, prefix = load(made)
    value = ctypes.c_int64(x)
    library[prefix + "scale"](ctypes.byref(value))
    return value.value


def test_kernels_of_one_unit_may_have_the_same_names(empty_cache):
    programs = [program(2), program(3)]
    build_unit(programs)
    assert len(list(empty_cache.glob("*.so"))) == 1
    assert [result(made, -5) for made in programs] == [-10, -15]


def test_a_kernel_that_is_in_no_unit_is_compiled_when_it_is_loaded(empty_cache):
    assert result(program(7), 3) == 21
    [unit] = empty_cache.glob("*.so")
    time = unit.stat().st_mtime_ns
    assert result(program(7), 4) == 28
    assert unit.stat().st_mtime_ns == time


def test_a_unit_that_does_not_compile_leaves_nothing(empty_cache):
    assert not compiles([Program(PREAMBLE, 'extern "C" void f() { no such type; }')])
    assert not list(empty_cache.glob("*.so"))
    assert not list(empty_cache.glob("*.unit"))


def test_the_list_is_read_as_it_was_written(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_units, "LIST", tmp_path / "list.json")
    assert kernel_units.read_list() == set()
    kernels = {
        ("Simulator", "engine", "fill", "enum { A = 1 };\ntypedef int T;\n"),
        ("Simulator", "engine", "fill", "typedef int T;\nenum { A = 1 };\n"),
        ("WarpSimulator", "native", "bfs", ""),
    }
    kernel_units.write_list(kernels)
    text = kernel_units.LIST.read_text()
    assert kernel_units.read_list() == kernels
    assert text.count("typedef int T;") == 1
    kernel_units.write_list(kernels)
    assert kernel_units.LIST.read_text() == text
