"""Graphs named in a few characters on the command line: ``kron:18``, ``grid:1000x1000``, a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from graphla.errors import GraphlaError

SEEDED = ("kronecker", "uniform", "grid", "ssca2")
FIXED = ("path", "cycle", "star", "complete", "karate", "les_miserables")
SHORT = {"kron": "kronecker", "urand": "uniform"}


def make(spec: str, *, seed: int = 1, weights: str | None = None) -> Any:
    """Return the graph that ``name:size`` names.

    A size is ``18`` or ``1000x1000``; a grid of one size is square, and a Kronecker
    graph has 16 edges a vertex.
    """
    import graphla as gl

    name, _, size = spec.partition(":")
    name = SHORT.get(name, name)
    if name not in SEEDED + FIXED:
        raise typer.BadParameter(f"{name!r} is none of: {', '.join(SEEDED + FIXED)}")
    try:
        sizes = [int(part) for part in size.split("x")] if size else []
        drawn = tuple(int(part) for part in weights.split(":")) if weights else None
    except ValueError:
        raise typer.BadParameter(f"sizes and weights are integers: {spec!r} {weights!r}") from None
    if name == "grid" and len(sizes) == 1:
        sizes *= 2
    options: dict[str, Any] = {"seed": seed, "weights": drawn} if name in SEEDED else {}
    if drawn and name in FIXED:
        raise typer.BadParameter(f"{name} takes no --weights")
    try:
        return getattr(gl.generate, name)(*sizes, **options)
    except TypeError as error:
        if isinstance(error, GraphlaError):
            raise
        raise typer.BadParameter(f"{spec!r} does not have the sizes that {name} needs") from None


def is_generated(spec: str) -> bool:
    """Whether a generator, and no file, is named."""
    name = spec.partition(":")[0]
    return SHORT.get(name, name) in SEEDED + FIXED


def graph(spec: str, *, seed: int = 1, weights: str | None = None) -> Any:
    """Return the graph that a generator makes, or that a file holds."""
    import graphla as gl

    if is_generated(spec):
        return make(spec, seed=seed, weights=weights)
    if not Path(spec).exists():
        known = ", ".join(SEEDED + FIXED)
        raise typer.BadParameter(f"{spec!r} is neither a file nor one of: {known}")
    if weights:
        raise typer.BadParameter(f"--weights are drawn for generated graphs; {spec!r} is a file")
    return gl.read(spec)
