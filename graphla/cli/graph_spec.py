"""Graph specifications on the command line: ``kron:18``, ``grid:1000x1000``, or a file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from graphla.cli.common import check_name
from graphla.errors import GraphlaError, InvalidCall
from graphla.suggestions import suggest

RANDOM = ("kronecker", "uniform", "grid", "ssca2")
DETERMINISTIC = ("path", "cycle", "star", "complete", "karate", "les_miserables")
GENERATORS = RANDOM + DETERMINISTIC
FORMS = (
    *("kron:18", "urand:18", "grid:1000", "grid:1000x500", "ssca2:16"),
    *("path:100", "cycle:100", "star:100", "complete:100", "karate", "les_miserables"),
)
"""A specification of each generator."""
ABBREVIATIONS = {"kron": "kronecker", "urand": "uniform"}

# options of every command that reads files, passed on to `make_or_read_graph`
KindOption = Annotated[str | None, typer.Option(help="directed or undirected; default: the file's")]
SrcOption = Annotated[str | None, typer.Option(help="column of sources in a table")]
DstOption = Annotated[str | None, typer.Option(help="column of targets in a table")]
WeightOption = Annotated[str | None, typer.Option(help="column of weights in a table")]
VerticesOption = Annotated[
    int | None, typer.Option("--n", help="number of vertices of an edge list or a table")
]
DupOption = Annotated[
    str,
    typer.Option(
        help="rule for duplicate edges of files: min, max, sum, first or last; none refuses them"
    ),
]


def make_graph(spec: str, *, seed: int = 1, weights: str | None = None) -> Any:
    """Generate the graph of a specification ``name:size``.

    A size is ``18`` or ``1000x1000``. A grid with one size is square; a Kronecker graph has 16
    edges a vertex.
    """
    import graphla as gl

    size = spec.partition(":")[2]
    name = _generator(spec)
    check_name(name, "generator", GENERATORS)
    try:
        sizes = [int(part) for part in size.split("x")] if size else []
        weight_range = tuple(int(part) for part in weights.split(":")) if weights else None
    except ValueError:
        raise typer.BadParameter(
            "sizes and weights must be integers, as in grid:300x200 --weights 1:255; "
            f"got {spec}{f' --weights {weights}' if weights else ''}"
        ) from None
    if name == "grid" and len(sizes) == 1:
        sizes *= 2
    options: dict[str, Any] = {"seed": seed, "weights": weight_range} if name in RANDOM else {}
    if weight_range and name in DETERMINISTIC:
        raise typer.BadParameter(f"{name} has no --weights; {', '.join(RANDOM)} have")
    try:
        return getattr(gl.generate, name)(*sizes, **options)
    except TypeError as error:
        if isinstance(error, GraphlaError) and not isinstance(error, InvalidCall):
            raise
        raise typer.BadParameter(f"{spec!r}: wrong number of sizes for {name}") from None


def is_generated(spec: str) -> bool:
    """Whether the specification names a generator."""
    return _generator(spec) in GENERATORS


def has_random_weights(spec: str) -> bool:
    """Whether the specification names a generator that draws weights."""
    return _generator(spec) in RANDOM


def _generator(spec: str) -> str:
    name = spec.partition(":")[0]
    return ABBREVIATIONS.get(name, name)


def make_or_read_graph(
    spec: str,
    *,
    seed: int = 1,
    weights: str | None = None,
    dup: str = "min",
    **options: Any,
) -> Any:
    """Generate the graph of a specification, or read it from a file.

    `dup` and the options of :func:`read_graph` are for files; an option for a generated graph
    raises BadParameter, as do weights for a file.
    """
    if is_generated(spec):
        if given := [f"--{name}" for name, value in options.items() if value is not None]:
            raise typer.BadParameter(f"{given[0]} is for files only; {spec!r} is generated")
        return make_graph(spec, seed=seed, weights=weights)
    if not Path(spec).exists():
        raise typer.BadParameter(
            f"{spec!r} is neither a file nor a generated graph such as {', '.join(FORMS)}"
            + _suggest_spec(spec)
        )
    if weights:
        raise typer.BadParameter(f"--weights is for generated graphs only; {spec!r} is a file")
    return read_graph(spec, dup=dup, **options)


def _suggest_spec(spec: str) -> str:
    """Return ": did you mean 'kron:12'?" for a specification that is close to one, else ""."""
    name, size = re.match(r"([A-Za-z_]*)[^\w]*(.*)", spec).groups()  # type: ignore[union-attr]
    known = (*GENERATORS, *ABBREVIATIONS)
    hint = suggest(name, known)
    return hint.replace("'?", f":{size}'?") if size and hint else hint


def read_graph(path: str | Path, *, dup: str = "min", **options: Any) -> Any:
    """Read a file with the options of :func:`graphla.read` that are not None; dup may be "none"."""
    import graphla as gl

    given = {name: value for name, value in options.items() if value is not None}
    return gl.read(path, dup=None if dup == "none" else dup, **given)
