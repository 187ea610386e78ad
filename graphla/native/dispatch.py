"""Running a native kernel: found by its name and the engine of the graph."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from graphblas.dtypes import INT64

from graphla.core import memory, validation
from graphla.core.progress import Progress
from graphla.errors import EngineMismatch

if TYPE_CHECKING:
    from graphla.core.graph import Graph
    from graphla.transform import Compressed


def run(
    name: str, G: Graph | Compressed, *args: Any, progress: bool = False, **options: Any
) -> Any:
    """Run a kernel, given as "file" or "file.function", on the engine of the graph."""
    kernel = _kernel(name, G.engine)
    if not progress:
        return kernel(G, *args, **options)
    with Progress(progress, name.rpartition(".")[2], 1) as bar:
        result = kernel(G, *args, **options)
        bar.step()
    return result


@cache
def _kernel(name: str, engine: str) -> Callable[..., Any]:
    """Return a kernel that tells what a user wonders about: that Numba compiles, or the device's
    memory has ended; found once, as calls of microseconds would spend them on the search.
    """
    file, _, function = name.partition(".")
    name = function or file
    if not has(file, engine):
        raise EngineMismatch(
            f"native.{name} of this version runs on engine 'cpu', "
            f"the graph is on {engine!r}: G.to('cpu')"
        )
    kernel = getattr(import_module(f"graphla.native.{engine}.{file}"), name)
    if engine == "cuda":
        from graphla.cuda.expressions.execute import refusing

        return refusing(kernel)
    from graphla.numba_support.compiling import announced

    @wraps(kernel)
    def told(*args: Any, **options: Any) -> Any:
        with announced(f"native.{name}"):
            return kernel(*args, **options)

    return told


def has(file: str, engine: str) -> bool:
    """Return whether there is a file of kernels for an engine."""
    module = f"graphla.native.{engine}.{file}"
    return module in sys.modules or find_spec(module) is not None


def sources_of_paths(G: Graph, sources: Any, batch: int, max_bytes: int | None) -> Any:
    """Check the arguments of paths from many vertices; return these."""
    what = "all_pairs_shortest_paths"
    validation.room(G)
    sources = range(G.n) if sources is None else validation.vertices(G, sources)
    validation.count(batch, "batch")
    validation.no_nan(G, what)
    T = validation.distances(G, what)[0] if G.weighted else INT64
    validation.all_distances(G, T, len(sources), max_bytes, what)
    validation.nonnegative(G, f"native.{what}", f"gl.{what}")
    return sources


def budget(G: Graph, max_bytes: int | None) -> int | None:
    """Check the arguments of a closure."""
    validation.room(G)
    if max_bytes is not None:  # else the kernel asks what is free
        memory.budget(max_bytes)
    return max_bytes
