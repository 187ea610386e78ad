"""Find a native kernel by its name and the engine of the graph, and run it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from graphla.core.display import Progress
from graphla.core.engines import refuse_ranks
from graphla.errors import EngineMismatch

if TYPE_CHECKING:
    from graphla.core.graph import Graph
    from graphla.transform import Compressed


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
    kernel = getattr(import_module(f"graphla.native.{engine}.{file}"), name)
    if engine == "cuda":
        from graphla.cuda.expressions.statement import translate_out_of_memory

        return translate_out_of_memory(kernel)
    from graphla.numba_support.compiling import announce_compilation

    @wraps(kernel)
    def with_notice(*args: Any, **options: Any) -> Any:
        with announce_compilation(f"native.{name}"):
            return kernel(*args, **options)

    return with_notice


def has_kernel(file: str, engine: str) -> bool:
    """Return whether an engine has a kernel file of this name."""
    module = f"graphla.native.{engine}.{file}"
    return module in sys.modules or find_spec(module) is not None
