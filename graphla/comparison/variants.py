"""Families of algorithms that are compared with each other, not with everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphla.comparison.algorithms import ALGORITHMS
from graphla.comparison.implementations import STRUCTURE, WEIGHTS, Implementation, register
from graphla.core import engines
from graphla.errors import EngineUnavailable, InvalidValue

if TYPE_CHECKING:
    from graphla.core.graph import Graph

FAMILIES = {
    "bfs": ("bfs_levels", "levels", STRUCTURE),
    "sssp": ("sssp_distances", "distances", (*STRUCTURE, *WEIGHTS)),
    "forest": ("minimum_spanning_forest", "forest", (*STRUCTURE, *WEIGHTS, "ranks")),
}


def show(family: str) -> tuple[str, list[str]]:
    """Register the variants of a family; return their algorithm, and what to compare.

    They stand beside the algebra on the same engine, which for bfs is the last form of the chapter.

    Raises
    ------
    InvalidValue
        There is no such family.
    EngineUnavailable
        It cannot run here.
    """
    if family not in FAMILIES:
        raise InvalidValue(f"variants {family!r} are none of: {', '.join(FAMILIES)}")
    if not engines.available("cuda"):
        raise EngineUnavailable(
            f"the variants of {family} run on engine 'cuda', which cannot run here"
        )
    from graphla.native import cuda

    variants = getattr(cuda, f"{family}_variants").items()
    names = [register(_entry(f"cuda {name}", f, *FAMILIES[family])).name for name, f in variants]
    return FAMILIES[family][0], [*names, "graphla-cuda"]


def _entry(
    name: str, search: Any, algorithm: str, returns: str, keeps: tuple[str, ...]
) -> Implementation:
    def prepare(G: Graph) -> Graph:
        return G.to("cuda").cache(*keeps)

    def run(G: Graph, start: Any) -> Any:
        return search(G) if ALGORITHMS[algorithm].start is None else search(G, start)

    return Implementation(name, algorithm, returns, run, prepare, family="native", engine="cuda")
