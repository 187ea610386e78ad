"""``graphla compare``: run implementations side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.text import Text

from graphla.cli import graph_spec
from graphla.cli.common import check_folder, check_name, err, out, split_names
from graphla.cli.graph_spec import (
    DstOption,
    DupOption,
    KindOption,
    SrcOption,
    VerticesOption,
    WeightOption,
)
from graphla.comparison.quiet import MAX_WAIT


def compare(
    graph: Annotated[
        list[str], typer.Option(help="kron:18, grid:1000, ... or a graph file; may be repeated")
    ],
    algorithms: Annotated[str, typer.Option(help="comma-separated names")] = "bfs",
    sources: Annotated[int, typer.Option(help="number of source vertices to draw", min=1)] = 16,
    implementations: Annotated[
        str | None,
        typer.Option(
            help="comma-separated names or families; default: all but the slow 'associative'"
        ),
    ] = None,
    trials: Annotated[
        int | None, typer.Option(help="default: one for each source, else 16", min=1)
    ] = None,
    budget: Annotated[float, typer.Option(help="seconds for one implementation")] = 60.0,
    max_wait: Annotated[
        float, typer.Option(help="longest wait for a quiet machine before trials, seconds", min=0)
    ] = MAX_WAIT,
    weights: Annotated[
        str | None,
        typer.Option(help="low:high for generated graphs; default: 1:255 if an algorithm needs it"),
    ] = None,
    seed: Annotated[int, typer.Option(help="seed of generators and sources")] = 7,
    verify: Annotated[bool, typer.Option(help="verify the results of implementations")] = True,
    html: Annotated[Path | None, typer.Option(help="write a self-contained HTML page")] = None,
    jsonl: Annotated[Path | None, typer.Option(help="file to append rows to (JSON lines)")] = None,
    kind: KindOption = None,
    dup: DupOption = "min",
    src: SrcOption = None,
    dst: DstOption = None,
    weight: WeightOption = None,
    n: VerticesOption = None,
    levels: Annotated[
        bool, typer.Option(help="also show breadth-first search level by level")
    ] = False,
    variants: Annotated[
        str | None, typer.Option(help="bfs, forest or sssp: compare its CUDA variants")
    ] = None,
) -> None:
    """Run all implementations of ALGORITHMS on each graph and show them side by side.

    The exit code is 1 if a result is wrong or an implementation fails.
    """
    import graphla as gl
    from graphla.comparison.algorithms import ALGORITHMS
    from graphla.comparison.implementations import FAMILIES, all_implementations
    from graphla.comparison.result import Comparison
    from graphla.comparison.runner import compare as run

    chosen = split_names(implementations) if implementations else None
    if variants is not None:
        from graphla.comparison.variants import register_variants
        from graphla.errors import GraphlaError

        try:
            algorithms, variant_names = register_variants(variants)
        except GraphlaError as error:
            raise typer.BadParameter(str(error)) from error
        chosen = chosen or variant_names
    names = list(dict.fromkeys(split_names(algorithms)))
    if not names:
        raise typer.BadParameter("--algorithms is empty")
    for name in names:
        check_name(name, "algorithm", ALGORITHMS)
    for name in split_names(implementations or ""):
        known = (*(entry.name for entry in all_implementations()), *FAMILIES)
        check_name(name, "implementation", dict.fromkeys(known))
    check_folder(html)
    check_folder(jsonl)
    if html is not None:
        from graphla.io.files import import_optional

        import_optional("matplotlib.figure", "--html", "'graphla[plot]'")
    takes_weights = any(ALGORITHMS[name].weights for name in names)
    file_options = {"kind": kind, "src": src, "dst": dst, "weight": weight, "n": n}
    has_file = not all(map(graph_spec.is_generated, graph))
    comparison, levels_by_title = Comparison(), {}
    for spec, label in zip(graph, _labels(graph), strict=True):
        drawn = weights
        if weights is None and takes_weights and graph_spec.has_random_weights(spec):
            drawn = "1:255"
        with err.status(f"making {escape(spec)}"):
            options = {} if graph_spec.is_generated(spec) and has_file else file_options
            G = graph_spec.make_or_read_graph(spec, seed=seed, weights=drawn, dup=dup, **options)
        rows_before = len(comparison)
        for name in names:
            rows = run(
                name, {label: G}, sources=sources, implementations=chosen, trials=trials,
                budget=budget, max_wait=max_wait, seed=seed, verify=verify,
                progress=err.is_terminal,
            )  # fmt: skip
            comparison += rows
            if jsonl is not None:
                rows.to_jsonl(jsonl)
        if levels:
            source = _bfs_source(list(comparison)[rows_before:], G)
            title = f"{label} from vertex {source}"
            levels_by_title[title] = gl.compare_levels(G, source)
    _show(comparison)
    for title, search_levels in levels_by_title.items():
        out.print(title, markup=False)
        _show(search_levels)
    if html is not None:
        comparison.to_html(html, levels=levels_by_title)
        out.print(f"written to {html}", markup=False)
    if comparison.failed:
        raise typer.Exit(1)


def _show(table: Any) -> None:
    """Print a table; if the output is not a terminal, in its full width."""
    out.print(table if out.is_terminal else Text(repr(table)), soft_wrap=not out.is_terminal)


def _labels(specs: list[str]) -> list[str]:
    """Return the specifications; without the folder for files, unless two have the same name."""
    names = [spec if graph_spec.is_generated(spec) else Path(spec).name for spec in specs]
    return [
        spec if names.count(name) > 1 else name for spec, name in zip(specs, names, strict=True)
    ]


def _bfs_source(rows: Any, G: Any) -> int:
    """Return the first source of bfs in the rows, else the vertex of largest out-degree."""
    sources = [s for row in rows if row["algorithm"] == "bfs" for s in row.get("sources") or ()]
    return sources[0] if sources else int(G.out_degree.to_dense().argmax())
