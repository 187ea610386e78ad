"""The CUDA variants of one algorithm, compared with each other (``graphla compare --variants``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphla.comparison.algorithms import ALGORITHMS
from graphla.comparison.implementations import STRUCTURE, WEIGHTS, Implementation, register
from graphla.core import engines, validation
from graphla.errors import EngineUnavailable

if TYPE_CHECKING:
    from graphla.core.graph import Graph

VARIANTS = {  # name -> algorithm, kind of result, cached properties
    "bfs": ("bfs_levels", "levels", STRUCTURE),
    "sssp": ("sssp_distances", "distances", (*STRUCTURE, *WEIGHTS)),
    "forest": ("minimum_spanning_forest", "forest", (*STRUCTURE, *WEIGHTS, "ranks")),
}


def register_variants(name: str) -> tuple[str, list[str]]:
    """Register the variants `name`; return (algorithm, names of the implementations).

    The names include the algebraic implementation on the same engine.

    Raises
    ------
    InvalidValue
        There are no such variants.
    EngineUnavailable
        Engine "cuda" cannot run here.
    """
    validation.check_choice(name, tuple(VARIANTS), "variants")
    if not engines.available("cuda"):
        raise EngineUnavailable(f"the variants of {name} need engine 'cuda', which cannot run here")
    from graphla.native import cuda

    functions = getattr(cuda, f"{name}_variants")
    names = [register(_entry(f"cuda {k}", f, *VARIANTS[name])).name for k, f in functions.items()]
    return VARIANTS[name][0], [*names, "graphla-cuda"]


def _entry(
    name: str, function: Any, algorithm: str, returns: str, cached: tuple[str, ...]
) -> Implementation:
    def prepare(G: Graph) -> Graph:
        return G.to("cuda").cache(*cached)

    def run(G: Graph, start: Any) -> Any:
        return ALGORITHMS[algorithm].call(function, G, start)

    return Implementation(name, algorithm, returns, run, prepare, family="native", engine="cuda")
