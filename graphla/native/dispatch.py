"""Find a native kernel by its name and the engine of the graph, and run it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from graphla.core.display import Progress
from graphla.core.engines import refuse_ranks
from graphla.errors import EngineMismatch, EngineUnavailable

if TYPE_CHECKING:
    from graphla.core.graph import Graph
    from graphla.transform import Compressed


SMALL = 1 << 16  # entries of a graph below which waking other threads takes longer than the work
WORK_OF_ENTRIES = {  # kernels whose work is about that of reading the entries some times
    *("bfs", "sssp", "sssp_distances", "connected_components", "pagerank", "triangle_count"),
    *("minimum_spanning_forest", "triangles", "clustering_coefficient", "k_truss"),
    *("greedy_color", "label_propagation", "louvain"),
}
FOLDERS = {  # of kernel files of engine "cpu" below native/cpu
    name: folder
    for folder, names in {
        "closure": ("transitive_closure", "transitive_closure_warshall"),
        "communities": ("greedy_color", "label_propagation", "louvain"),
        "subgraphs": ("triangle_count", "clustering_coefficient", "core_number", "k_truss"),
    }.items()
    for name in names
}


def run(
    name: str, G: Graph | Compressed, *args: Any, progress: bool = False, **options: Any
) -> Any:
    """Run the kernel "file" or "file.function" on the engine of the graph."""
    kernel = _kernel(name, G.engine)
    if not progress:
        return kernel(G, *args, **options)
    with Progress(progress, name.rpartition(".")[2], 1) as bar:
        result = kernel(G, *args, **options)
        bar.step()
    return result


@cache
def _kernel(name: str, engine: str) -> Callable[..., Any]:
    """Return a kernel that prints a notice while Numba compiles, or reports out of device memory.

    The result is cached, because a lookup takes as long as a search in a small graph.
    """
    file, _, function = name.partition(".")
    name = function or file
    refuse_ranks(engine, f"native.{name}")
    if not has_kernel(file, engine):
        raise EngineMismatch(
            f"native.{name} runs on engine 'cpu' only, the graph is on {engine!r}: G.to('cpu')"
        )
    kernel = getattr(import_module(kernel_module(file, engine)), name)
    if engine == "cuda":
        from graphla.cuda.expressions.statement import translate_out_of_memory

        return translate_out_of_memory(kernel)
    from graphla.numba_support.compiling import announce_compilation

    @wraps(kernel)
    def with_notice(*args: Any, **options: Any) -> Any:
        require_own_threads(f"native.{name}")
        with announce_compilation(f"native.{name}"):
            return kernel(*args, **options)

    return in_one_thread_if_small(with_notice) if name in WORK_OF_ENTRIES else with_notice


_process_of_threads: int | None = None  # the process in which kernels have started threads


def has_own_threads() -> bool:
    """Whether kernels of engine "cpu" can run: their threads do not survive a fork."""
    return _process_of_threads in (None, os.getpid())


def require_own_threads(name: str) -> None:
    """Raise EngineUnavailable in a process that was forked after its parent had run kernels."""
    global _process_of_threads
    if not has_own_threads():
        raise EngineUnavailable(
            f"{name} does not run in a process that was forked after its parent had run native "
            'kernels: start processes by multiprocessing.get_context("spawn")'
        )
    _process_of_threads = os.getpid()


def in_one_thread_if_small(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Let a kernel of engine "cpu" run in one thread on small graphs.

    Right after an algebraic call, whose threads are busy for a while, the others would wake so
    late that the call takes many times as long.
    """
    from numba import get_num_threads, set_num_threads

    @wraps(kernel)
    def run_kernel(G: Graph, *args: Any, **options: Any) -> Any:
        threads = get_num_threads()
        if threads == 1 or G.A.nvals >= SMALL:
            return kernel(G, *args, **options)
        set_num_threads(1)
        try:
            return kernel(G, *args, **options)
        finally:
            set_num_threads(threads)

    return run_kernel


def kernel_module(file: str, engine: str) -> str:
    """Return the name that the module of a kernel file has, whether it exists or not."""
    folder = f"{FOLDERS[file]}." if engine == "cpu" and file in FOLDERS else ""
    return f"graphla.native.{engine}.{folder}{file}"


def has_kernel(file: str, engine: str) -> bool:
    """Return whether an engine has a kernel file of this name."""
    module = kernel_module(file, engine)
    return module in sys.modules or find_spec(module) is not None
