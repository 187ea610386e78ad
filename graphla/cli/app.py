"""The ``graphla`` command: describe, run, compare, generate, convert and benchmark."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from graphla.cli.common import check_folder, check_name, err, out, split_names
from graphla.cli.compare import compare
from graphla.cli.graph_spec import make_graph
from graphla.comparison.quiet import MAX_WAIT
from graphla.errors import GraphlaError, InvalidValue

app = typer.Typer(add_completion=False, no_args_is_help=True, help=__doc__)

GraphFile = Annotated[Path, typer.Argument(help="graph file; the suffix is its format")]
OutputFile = Annotated[Path, typer.Argument(help="file to write; the suffix is its format")]
KindOption = Annotated[str | None, typer.Option(help="directed or undirected; default: the file's")]
DupOption = Annotated[
    str,
    typer.Option(help="rule for duplicate edges: min, max, sum, first or last; none refuses them"),
]


def _read(path: Path, kind: str | None, dup: str) -> Any:
    import graphla as gl

    with err.status(f"reading {escape(str(path))}"):
        return gl.read(path, kind=kind, dup=None if dup == "none" else dup)


def _write(path: Path, make_graph: Callable[[], Any]) -> None:
    import graphla as gl
    from graphla.io import format_of

    format_of(path)  # raises for an unknown suffix before the work
    G = make_graph()
    gl.write(path, G)
    out.print(f"{escape(repr(G))} written to {escape(str(path))}")


@app.command()
def info(file: GraphFile, kind: KindOption = None, dup: DupOption = "min") -> None:
    """Describe the graph in FILE: size, kind, weights, degrees, loops."""
    import numpy as np

    from graphla.core import validation

    G = _read(file, kind, dup)
    validation.check_graph(G)
    table = Table(title=escape(str(file)), show_header=False)
    degree = G.out_degree.to_dense()
    rows = {
        "kind": G.kind,
        "vertices": f"{G.n:,}",
        "edges": f"{G.nedges:,}",
        "duplicates merged": f"{G.nmerged:,}",
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
    algorithm: Annotated[str, typer.Argument(help="name of an algorithm; 'list' lists them")],
    file: Annotated[Path | None, typer.Argument(help="graph file")] = None,
    source: Annotated[
        list[int] | None,
        typer.Option(help="source vertex; may be repeated for betweenness and all pairs"),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="file for the result: .npz, .csv or .tsv")
    ] = None,
    verify: Annotated[bool, typer.Option(help="verify the result")] = True,
    progress: Annotated[bool, typer.Option(help="show a progress bar")] = True,
    kind: KindOption = None,
    dup: DupOption = "min",
) -> None:
    """Run ALGORITHM on the graph in FILE, verify the result and write it to a file."""
    from graphla.comparison.algorithms import ALGORITHMS

    if algorithm == "list":
        out.print("\n".join(a.name for a in ALGORITHMS.values() if a.variant_of is None))
        return
    check_name(algorithm, "algorithm", ALGORITHMS)
    if file is None:
        raise typer.BadParameter("the graph file is missing")
    chosen = ALGORITHMS[algorithm]
    if chosen.start and not source:
        raise typer.BadParameter(f"{algorithm} needs --source")
    if not chosen.start and source:
        raise typer.BadParameter(f"{algorithm} has no --source")
    if chosen.start == "vertex" and source and len(source) > 1:
        raise typer.BadParameter(f"{algorithm} has exactly one --source")
    if output is not None:
        from graphla.io.results import check_suffix

        check_suffix(output)
    G = _read(file, kind, dup)
    start = source[0] if source and chosen.start == "vertex" else source
    begin = time.perf_counter()
    result = chosen(G, start, progress=progress and err.is_terminal)
    seconds = time.perf_counter() - begin
    out.print(f"{algorithm}: {chosen.summarize(result)} ({seconds * 1e3:,.1f} ms)")
    if output is not None:
        from graphla.io.results import write_result

        write_result(output, result)
        out.print(f"written to {escape(str(output))}")
    if verify:
        try:
            chosen.verify(G, start, result)
        except InvalidValue as error:
            out.print(f"not verified: {escape(str(error))}")
        else:
            out.print("verified")


@app.command()
def generate(
    spec: Annotated[str, typer.Argument(help="e.g. kronecker:18, uniform:16, grid:1000x1000")],
    output: OutputFile,
    seed: Annotated[int, typer.Option(help="seed of the random generator")] = 1,
    weights: Annotated[
        str | None, typer.Option(help="low:high, random integer weights in this range")
    ] = None,
) -> None:
    """Generate a graph and write it."""
    _write(output, lambda: make_graph(spec, seed=seed, weights=weights))


@app.command()
def convert(
    file: GraphFile,
    output: OutputFile,
    kind: KindOption = None,
    dup: DupOption = "min",
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
    searches: Annotated[
        int, typer.Option(help="number of search keys; 64 for a valid submission")
    ] = 64,
    seed: Annotated[int, typer.Option(help="seed of edges and search keys")] = 1,
    max_wait: Annotated[
        float, typer.Option(help="longest wait for a quiet machine before searches, seconds", min=0)
    ] = MAX_WAIT,
    energy: Annotated[
        float | None, typer.Option(help="also measure the energy, over this number of seconds")
    ] = None,
    jsonl: Annotated[Path | None, typer.Option(help="file to append rows to (JSON lines)")] = None,
) -> None:
    """Run the Graph500 benchmark and print its output block.

    If a result is wrong, there is no output block and the exit code is 1.
    """
    import graphla as gl

    check_folder(jsonl)
    result = gl.graph500.run(
        scale, edgefactor=edgefactor, engine=engine, kernel=kernel,
        algorithms=split_names(algorithms),
        searches=searches, seed=seed, max_wait=max_wait, energy_s=energy,
        progress=err.is_terminal,
    )  # fmt: skip
    out.print(str(result), markup=False, highlight=False, soft_wrap=True)
    if jsonl is not None:
        result.to_jsonl(jsonl)


app.command()(compare)


def main() -> None:
    """Run the command; an error of graphla or of a file prints one line, with exit code 1."""
    try:
        app()
    except (GraphlaError, OSError) as error:
        err.print(f"[bold red]{type(error).__name__}[/]: ", end="")
        err.print(str(error), markup=False, highlight=False)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
