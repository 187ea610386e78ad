"""Which files of the package a warm breadth-first search passes, on both engines.

A reader of ``gl.bfs`` has to open these files and no others. The lists are exact, so that a file
that joins a path is noticed.
"""

from __future__ import annotations

import sys
from pathlib import Path

import graphla as gl
from tests.cuda.simulator import simulate_device

PACKAGE = Path(gl.__file__).parent

COMMON = {
    "algorithms/traversal/bfs.py",  # the algorithm
    "core/graph.py",  # the graph and its new vectors
    "core/validation.py",  # the source is a vertex; dtypes
    "execution/hints.py",  # storage forms, and statements that run together
    "execution/push_pull.py",  # push or pull
}
CPU = {"execution/prepared_calls.py"}  # the statements of a level as calls of SuiteSparse
CUDA = {
    "cuda/objects/base.py",  # C(mask, accum, replace) << expression
    "cuda/objects/matrix.py",
    "cuda/objects/vector.py",
    "cuda/expressions/arguments.py",  # operators and scalars of an operation
    "cuda/expressions/scalar.py",
    "cuda/expressions/statement.py",  # lazy expressions, masks, updates, and how they are evaluated
    "cuda/operations/spmv/dispatch.py",  # the product of a level
    "cuda/fused/traversal.py",  # the kernels of a level, and of several
    "cuda/storage/vector_formats.py",
    "cuda/memory/buffer_pool.py",
    "cuda/runtime/kernel.py",  # the launch, and the frontier's size, which the kernel publishes
}


def files_of(call):
    """Return the files of the package whose functions a call enters."""
    entered = set()

    def profile(frame, event, argument):
        if event == "call":
            entered.add(frame.f_code.co_filename)

    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    paths = (Path(name) for name in entered)
    return {p.relative_to(PACKAGE).as_posix() for p in paths if p.is_relative_to(PACKAGE)}


def warm_path(G):
    gl.bfs(G, 0)
    gl.bfs(G, 0)
    return files_of(lambda: gl.bfs(G, 0))


def test_cpu():
    assert warm_path(gl.generate.kronecker(8, seed=1)) == COMMON | CPU
    assert len(COMMON | CPU) <= 10


def test_cuda(monkeypatch):
    simulate_device(monkeypatch)
    assert warm_path(gl.generate.kronecker(8, seed=1).to("cuda")) == COMMON | CUDA
    assert len(COMMON | CUDA) <= 16
