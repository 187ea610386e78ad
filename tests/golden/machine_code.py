"""Hashes of the machine code of kernels, which renaming must not change.

The golden file has the kernels that representative operations compile, by operation. NVRTC
needs no device, but another version of it generates other code.
"""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path

import graphblas as gb
import pytest

import graphla as gl
from graphla.cuda.objects import matrix
from graphla.cuda.runtime.nvrtc import cubin
from graphla.native.cuda import bfs_variants, forest_variants, sssp_variants
from graphla.star import algorithms as procedures
from tests.algorithm_calls import algorithms, prepared, tiny
from tests.cuda.engine import test_kernels_compile
from tests.cuda.random_updates import make
from tests.cuda.simulator import Recorder
from tests.golden.traces import simulated
from tests.index_dtypes import NATIVE_ON_CPU_ONLY
from tests.transform.orders_and_forms import FORMS, ORDERS

FILE = Path(__file__).with_name("machine_code.json")
ARCHITECTURE = "90"
KINDS = ("directed", "undirected")
OMITTED = {"pagerank_gap", "sssp_distances"} | NATIVE_ON_CPU_ONLY  # two share those of others


def version():
    """Return the version of NVRTC; skip the test if it is not installed."""
    nvrtc = pytest.importorskip("cupy_backends.cuda.libs.nvrtc")
    return ".".join(map(str, nvrtc.getVersion()))


def current():
    """Return the text of the golden file for the present code."""
    code = {name: hashes(name) for name in SCENARIOS}
    golden = {"nvrtc": version(), "architecture": ARCHITECTURE, "code": code}
    return json.dumps(golden, indent=1) + "\n"


def hashes(name):
    """Return the hashes of the kernels of a scenario, sorted."""
    with simulated(Recorder()) as recorder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("graphla.cuda.runtime.kernel._kernels", {})
        patch.setattr(matrix, "FLAT_ROWS", 64)
        patch.setattr(test_kernels_compile, "check", lambda recorder: None)
        SCENARIOS[name](recorder, patch)
        one_each = {kernel: source for source, kernel in reversed(recorder.sources.items())}
    assert one_each
    return sorted(code_hash(cubin(source, ARCHITECTURE)) for source in one_each.values())


def code_hash(image):
    """Return a hash of the instructions in an ELF file; names of functions do not matter."""
    return hashlib.sha256(b"|".join(sorted(text_sections(image)))).hexdigest()[:16]


def text_sections(image):
    """Return the bytes of the sections .text.* of a 64-bit little-endian ELF file."""
    assert image[:6] == b"\x7fELF\x02\x01"
    table, size, count, names = (
        *struct.unpack_from("<Q", image, 40),
        *struct.unpack_from("<3H", image, 58),
    )
    # name, type, flags, address, offset, size of each section
    headers = [struct.unpack_from("<2I4Q", image, table + k * size) for k in range(count)]
    base = headers[names][4]
    sections = [
        image[offset : offset + length]
        for name, _, _, _, offset, length in headers
        if image.startswith(b".text.", base + name)
    ]
    assert sections
    return sections


def mxm(recorder, patch):
    """Sparse products by each strategy: hash tables, masks, dot products."""
    A, B = (make(k, (200, 200), "FP64", density=0.1)[0] for k in (1, 2))
    gl.cuda.Matrix("FP64", 200, 200) << A.mxm(B, gb.semiring.plus_times)
    gl.cuda.Matrix("FP64", 200, 200)(A.S) << A.mxm(B, gb.semiring.plus_times)
    gl.cuda.Matrix("FP64", 200, 200)(~A.S) << A.mxm(B, gb.semiring.plus_times)
    gl.cuda.Matrix("FP64", 200, 200)(A.S) << A.mxm(B.T, gb.semiring.min_plus)


def transforms(recorder, patch):
    """Every vertex order and storage form of a graph."""
    G = gl.generate.les_miserables().to("cuda")
    for transform in (*ORDERS.values(), *FORMS.values(), gl.transform.block_edges):
        transform(G)


def star(recorder, patch):
    """Procedures of the STAR-machine."""
    T = gl.star.Table.from_graph(gl.generate.les_miserables()).to("cuda")
    for close in ("warshall", "warshall_adapted", "warshall_blocked", "warshall_columns"):
        getattr(procedures, close)(T)
    T.transpose()
    gl.star.match(T, 5), gl.star.less(T, 5), gl.star.maximum(T), gl.star.minimum(T)
    gl.star.add(T, 3)


def native(name):
    """Return the scenario of a native algorithm."""

    def run(recorder, patch):
        for kind in KINDS:
            try:
                prepared(algorithms(gl.native)[name], tiny(kind).to("cuda"))()
            except gl.errors.SymmetricStructureRequired:
                continue

    return run


def of(test, *arguments):
    """Return the scenario that calls a test of tests/cuda/engine/test_kernels_compile.py."""

    def run(recorder, patch):
        fixtures = {"recorder": recorder, "monkeypatch": patch}
        names = test.__code__.co_varnames[: test.__code__.co_argcount]
        test(*(fixtures[x] for x in names if x in fixtures), *arguments)

    return run


def variants(functions, *arguments):
    """Return the scenario of all variants of an algorithm."""

    def run(recorder, patch):
        for function in functions.values():
            function(tiny("undirected").to("cuda"), *arguments)

    return run


SCENARIOS = {
    "products plus_times FP64 S": of(test_kernels_compile.test_products, "S", "plus_times", "FP64"),
    "products any_pair BOOL ~V": of(test_kernels_compile.test_products, "~V", "any_pair", "BOOL"),
    "products of few edges": of(test_kernels_compile.test_few_edges, "min_plus", "INT64"),
    "searches": of(test_kernels_compile.test_steps_of_searches, 300),
    "products by slices": of(test_kernels_compile.test_sliced, "V", "plus_times", "FP32"),
    "bit matrices": of(test_kernels_compile.test_bits, "~S"),
    "bitmap matrices": of(test_kernels_compile.test_position_by_position, "V", 64),
    "sparse matrices": of(test_kernels_compile.test_position_by_position, "S", 0),
    "reductions, building, extraction": of(test_kernels_compile.test_what_has_no_mask, "FP64"),
    "statements in sequence": of(test_kernels_compile.test_statements_in_sequence, "FP64"),
    "sparse products": mxm,
    "transforms": transforms,
    "star": star,
    **{f"native {name}": native(name) for name in algorithms(gl.native) if name not in OMITTED},
    "variants of bfs": variants(bfs_variants, 0),
    "variants of sssp": variants(sssp_variants, 0),
    "variants of minimum_spanning_forest": variants(forest_variants),
}
