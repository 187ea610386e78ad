"""``graphla compare``: implementations side by side, from the command line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from graphla.cli import graph_spec
from graphla.comparison.quiet import MAX_WAIT

out = Console()
err = Console(stderr=True)


def compare(
    graph: Annotated[
        list[str], typer.Option(help="kron:18, grid:1000, ... or a graph file; several are allowed")
    ],
    algorithms: Annotated[str, typer.Option(help="comma-separated names")] = "bfs",
    sources: Annotated[int, typer.Option(help="traversals, each from its vertex", min=1)] = 16,
    implementations: Annotated[
        str | None, typer.Option(help="comma-separated names; default: all there are")
    ] = None,
    trials: Annotated[
        int | None, typer.Option(help="default: one a source, 16 where there is none", min=1)
    ] = None,
    budget: Annotated[float, typer.Option(help="seconds for one implementation")] = 60.0,
    max_wait: Annotated[
        float, typer.Option(help="seconds to wait for a quiet machine before trials", min=0)
    ] = MAX_WAIT,
    weights: Annotated[
        str | None,
        typer.Option(help="low:high of generated graphs; default: 1:255 if read"),
    ] = None,
    seed: Annotated[int, typer.Option(help="of generators and sources")] = 7,
    verify: Annotated[bool, typer.Option(help="check every implementation's results")] = True,
    html: Annotated[Path | None, typer.Option(help="write a self-contained page")] = None,
    jsonl: Annotated[Path | None, typer.Option(help="append raw rows as they come")] = None,
    levels: Annotated[bool, typer.Option(help="also show the search level by level")] = False,
    variants: Annotated[
        str | None, typer.Option(help="bfs, forest, sssp: simple forms on a GPU")
    ] = None,
) -> None:
    """Run ALGORITHMS on each graph in all implementations and show them side by side.

    The exit code is 1 where a result is wrong or an implementation fails.
    """
    import graphla as gl
    from graphla.comparison.algorithms import ALGORITHMS
    from graphla.comparison.result import Comparison
    from graphla.comparison.runner import compare as run

    chosen = _split(implementations) if implementations else None
    if variants is not None:
        from graphla.comparison.variants import show
        from graphla.errors import GraphlaError

        try:
            algorithms, shown = show(variants)
        except GraphlaError as error:
            raise typer.BadParameter(str(error)) from error
        chosen = chosen or shown
    names = list(dict.fromkeys(_split(algorithms)))
    if not names:
        raise typer.BadParameter("no algorithm is named")
    for name in names:
        if name not in ALGORITHMS:
            raise typer.BadParameter(f"{name!r} is none of: {', '.join(ALGORITHMS)}")
    for path in (html, jsonl):
        if path is not None and not path.absolute().parent.is_dir():
            raise typer.BadParameter(f"there is no folder {path.absolute().parent}")
    if weights is None and any(ALGORITHMS[name].weights for name in names):
        weights = "1:255"
    found, views = Comparison(), {}
    for spec in graph:
        with err.status(f"making {escape(spec)}"):
            G = graph_spec.graph(spec, seed=seed, weights=weights)
        before = len(found)
        for name in names:
            rows = run(
                name, {_label(spec): G}, sources=sources, implementations=chosen, trials=trials,
                budget=budget, max_wait=max_wait, seed=seed, verify=verify,
                progress=err.is_terminal,
            )  # fmt: skip
            found += rows
            if jsonl is not None:
                rows.to_jsonl(jsonl)
        if levels:
            source = _source(list(found)[before:], G)
            views[f"{_label(spec)} from vertex {source}"] = gl.compare_levels(G, source)
    _show(found)
    for name, view in views.items():
        out.print(name, markup=False)
        _show(view)
    if html is not None:
        found.to_html(html, levels=views)
        out.print(f"written to {html}", markup=False)
    if found.failed:
        raise typer.Exit(1)


def _show(table: Any) -> None:
    """Print a table: as wide as it is where no terminal bounds it."""
    out.print(table if out.is_terminal else Text(repr(table)), soft_wrap=not out.is_terminal)


def _split(names: str) -> list[str]:
    return [name for name in re.split(r"[,\s]+", names) if name]


def _label(spec: str) -> str:
    """Return the generator with its size, or the name of a file without its folder."""
    return spec if graph_spec.is_generated(spec) else Path(spec).name


def _source(rows: Any, G: Any) -> int:
    """Return the first source of the rows, or else the vertex of largest degree."""
    named = [s for row in rows if row["algorithm"] == "bfs" for s in row.get("sources") or ()]
    return named[0] if named else int(G.out_degree.to_dense().argmax())
