"""The ``graphla`` command: describe, run, compare, generate, convert and benchmark."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from graphla.cli.compare import compare
from graphla.cli.graph_spec import make
from graphla.comparison.quiet import MAX_WAIT
from graphla.errors import GraphlaError, InvalidValue

app = typer.Typer(add_completion=False, no_args_is_help=True, help=__doc__)
out = Console()
err = Console(stderr=True)

GraphFile = Annotated[Path, typer.Argument(help="graph file; the suffix says the format")]
KindOption = Annotated[str | None, typer.Option(help="directed or undirected; default: the file's")]
DupOption = Annotated[
    str | None, typer.Option(help="rule for duplicate edges: min, max, sum, first or last")
]


def _read(path: Path, kind: str | None, dup: str | None) -> Any:
    import graphla as gl

    with err.status(f"reading {escape(str(path))}"):
        return gl.read(path, kind=kind, dup=dup)


def _write(path: Path, make_graph: Callable[[], Any]) -> None:
    import graphla as gl
    from graphla.io import format_of

    format_of(path)  # an unknown suffix is refused before the work
    G = make_graph()
    gl.write(path, G)
    out.print(f"{escape(repr(G))} written to {escape(str(path))}")


@app.command()
def info(file: GraphFile, kind: KindOption = None, dup: DupOption = None) -> None:
    """Describe the graph in FILE: size, kind, weights, degrees, loops."""
    import numpy as np

    from graphla.core import validation

    G = _read(file, kind, dup)
    validation.room(G)
    table = Table(title=escape(str(file)), show_header=False)
    degree = G.out_degree.to_dense()
    rows = {
        "kind": G.kind,
        "vertices": f"{G.n:,}",
        "edges": f"{G.nedges:,}",
        "weights": f"{G.dtype.name}, {G.min_weight} to {G.max_weight}" if G.weighted else "none",
        "self-loops": f"{G.nself_edges:,}",
        "without out-edges": f"{int(np.count_nonzero(degree == 0)):,}",
        "largest out-degree": f"{int(degree.max(initial=0)):,}",
        "mean out-degree": f"{degree.mean() if G.n else 0:.2f}",
    }
    for name, value in rows.items():
        table.add_row(name, str(value))
    out.print(table)


@app.command()
def run(
    algorithm: Annotated[str, typer.Argument(help="name of an algorithm; 'list' names them all")],
    file: Annotated[Path | None, typer.Argument(help="graph file")] = None,
    source: Annotated[
        list[int] | None, typer.Option(help="vertex to start from; several for betweenness, pairs")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="where the result goes: .npz, .csv or .tsv")
    ] = None,
    verify: Annotated[bool, typer.Option(help="check the result's invariants")] = True,
    progress: Annotated[bool, typer.Option(help="show a progress bar")] = True,
    kind: KindOption = None,
    dup: DupOption = None,
) -> None:
    """Run ALGORITHM on the graph in FILE, verify the result and write it."""
    from graphla.comparison.algorithms import ALGORITHMS

    if algorithm == "list":
        out.print("\n".join(a.name for a in ALGORITHMS.values() if a.variant_of is None))
        return
    if algorithm not in ALGORITHMS:
        raise typer.BadParameter(f"{algorithm!r} is none of: {', '.join(ALGORITHMS)}")
    if file is None:
        raise typer.BadParameter("the graph file is missing")
    chosen = ALGORITHMS[algorithm]
    if chosen.start and not source:
        raise typer.BadParameter(f"{algorithm} needs --source")
    if not chosen.start and source:
        raise typer.BadParameter(f"{algorithm} takes no --source")
    if chosen.start == "vertex" and source and len(source) > 1:
        raise typer.BadParameter(f"{algorithm} takes one --source")
    if output is not None:
        from graphla.io.results import check_suffix

        check_suffix(output)
    G = _read(file, kind, dup)
    start = source[0] if source and chosen.start == "vertex" else source
    begun = time.perf_counter()
    result = chosen(G, start, progress=progress and err.is_terminal)
    seconds = time.perf_counter() - begun
    out.print(f"{algorithm}: {chosen.summarize(result)} ({seconds * 1e3:,.1f} ms)")
    if output is not None:
        from graphla.io.results import write_result

        write_result(output, result)
        out.print(f"written to {escape(str(output))}")
    if verify:
        try:
            chosen.verify(G, start, result)
        except InvalidValue as beyond:
            out.print(f"not verified: {escape(str(beyond))}")
        else:
            out.print("verified: its invariants hold")


@app.command()
def generate(
    spec: Annotated[str, typer.Argument(help="e.g. kronecker:18, uniform:16, grid:1000x1000")],
    output: Annotated[Path, typer.Argument(help="file to write; the suffix says the format")],
    seed: Annotated[int, typer.Option(help="of the random generator")] = 1,
    weights: Annotated[str | None, typer.Option(help="low:high, integer weights")] = None,
) -> None:
    """Generate a graph and write it."""
    _write(output, lambda: make(spec, seed=seed, weights=weights))


@app.command()
def convert(
    file: GraphFile,
    output: Annotated[Path, typer.Argument(help="file to write; the suffix says the format")],
    kind: KindOption = None,
    dup: DupOption = None,
) -> None:
    """Read FILE and write it in the format of OUTPUT."""
    _write(output, lambda: _read(file, kind, dup))


@app.command()
def graph500(
    scale: Annotated[int, typer.Option(help="the graph has 2^SCALE vertices, 1 to 31")],
    edgefactor: Annotated[int, typer.Option(help="input edges per vertex")] = 16,
    engine: Annotated[str, typer.Option(help="cpu or cuda")] = "cpu",
    kernel: Annotated[
        str, typer.Option(help="algebraic, native, or the name of an implementation")
    ] = "algebraic",
    algorithms: Annotated[str, typer.Option(help="bfs, sssp, or bfs,sssp")] = "bfs",
    searches: Annotated[int, typer.Option(help="search keys; the benchmark has 64")] = 64,
    seed: Annotated[int, typer.Option(help="of edges and search keys")] = 1,
    max_wait: Annotated[
        float, typer.Option(help="seconds to wait for a quiet machine before searches", min=0)
    ] = MAX_WAIT,
    energy: Annotated[
        float | None, typer.Option(help="also meter the energy, over so many seconds")
    ] = None,
    jsonl: Annotated[Path | None, typer.Option(help="append raw rows")] = None,
) -> None:
    """Run the Graph500 benchmark and print its output block.

    The exit code is 1 where a result is wrong; such a run has no output block.
    """
    import graphla as gl

    if jsonl is not None and not jsonl.absolute().parent.is_dir():
        raise typer.BadParameter(f"there is no folder {jsonl.absolute().parent}")
    result = gl.graph500.run(
        scale, edgefactor=edgefactor, engine=engine, kernel=kernel,
        algorithms=[name.strip() for name in algorithms.split(",") if name.strip()],
        searches=searches, seed=seed, max_wait=max_wait, energy_s=energy,
        progress=err.is_terminal,
    )  # fmt: skip
    out.print(str(result), markup=False, highlight=False, soft_wrap=True)
    if jsonl is not None:
        result.to_jsonl(jsonl)


app.command()(compare)


def main() -> None:
    """Run the command; a graph or file at fault ends it with one line and exit code 1."""
    try:
        app()
    except (GraphlaError, OSError) as error:
        err.print(f"[bold red]{type(error).__name__}[/]: ", end="")
        err.print(str(error), markup=False, highlight=False)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
