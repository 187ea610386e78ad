"""Families of searches that are compared with each other, not with everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphla import engines
from graphla.comparison.implementations import STRUCTURE, Implementation, register
from graphla.errors import EngineUnavailable, InvalidValue

if TYPE_CHECKING:
    from graphla.graph import Graph

FAMILIES = ("bfs",)


def show(family: str) -> tuple[str, list[str]]:
    """Register the variants of a family; return their algorithm, and what to compare.

    They stand beside the algebra on the same engine, which is the last form of the chapter.

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
        raise EngineUnavailable("the variants of bfs run on engine 'cuda', which cannot run here")
    from graphla.native.cuda import bfs_variants

    names = [register(_entry(f"cuda {name}", f)).name for name, f in bfs_variants.items()]
    return "bfs_levels", [*names, "graphla-cuda"]


def _entry(name: str, search: Any) -> Implementation:
    def prepare(G: Graph) -> Graph:
        return G.to("cuda").cache(*STRUCTURE)

    return Implementation(
        name, "bfs_levels", "levels", search, prepare,
        lambda G, level: engines.moved(level, "cpu"), family="native", engine="cuda",
    )  # fmt: skip
