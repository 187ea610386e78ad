"""The ``graphla`` command: describe, run, compare, generate, convert, benchmark and diagnose."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from graphla.cli.common import check_folder, check_name, err, out, split_names
from graphla.cli.compare import compare
from graphla.cli.doctor import doctor
from graphla.cli.graph_spec import (
    DstOption,
    DupOption,
    KindOption,
    SrcOption,
    VerticesOption,
    WeightOption,
    is_generated,
    make_graph,
    make_or_read_graph,
    read_graph,
)
from graphla.comparison.quiet import MAX_WAIT
from graphla.errors import GraphlaError, InvalidCall, InvalidValue, NotSupported
from graphla.suggestions import command_line

app = typer.Typer(add_completion=False, no_args_is_help=True, help=__doc__)

GraphFile = Annotated[Path, typer.Argument(help="graph file; the suffix is its format")]
OutputFile = Annotated[Path, typer.Argument(help="file to write; the suffix is its format")]


def _read(path: Path, **options: Any) -> Any:
    with err.status(f"reading {escape(str(path))}"):
        return read_graph(path, **options)


def _write(path: Path, make_graph: Callable[[], Any]) -> None:
    import graphla as gl
    from graphla.io import format_of

    format_of(path)  # raises for an unknown suffix before the work
    G = make_graph()
    gl.write(path, G)
    out.print(f"{escape(repr(G))} written to {escape(str(path))}")


@app.command()
def info(
    file: Annotated[Path, typer.Argument(help="graph file, or a generated graph such as kron:12")],
    kind: KindOption = None,
    dup: DupOption = "min",
    src: SrcOption = None,
    dst: DstOption = None,
    weight: WeightOption = None,
    n: VerticesOption = None,
) -> None:
    """Describe the graph in FILE, or a generated one: size, kind, weights, degrees, loops."""
    import numpy as np

    from graphla.core import validation

    options: dict[str, Any] = {"kind": kind, "src": src, "dst": dst, "weight": weight, "n": n}
    if is_generated(str(file)) or (":" in file.name and not file.exists()):
        G = make_or_read_graph(str(file), dup=dup, **options)
    else:
        G = _read(file, dup=dup, **options)
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
    graph: Annotated[
        str | None, typer.Argument(help="graph file, or a generated graph such as kron:18")
    ] = None,
    source: Annotated[
        list[int] | None,
        typer.Option(help="source vertex; may be repeated for algorithms from several"),
    ] = None,
    argument: Annotated[
        list[str] | None,
        typer.Option(help="another argument as NAME=VALUE, e.g. k=3; may be repeated"),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="file for the result: .npz, .csv or .tsv")
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(help="low:high, random integer weights of a generated graph"),
    ] = None,
    seed: Annotated[int, typer.Option(help="seed of a generated graph")] = 1,
    verify: Annotated[bool, typer.Option(help="verify the result")] = True,
    progress: Annotated[bool, typer.Option(help="show a progress bar")] = True,
    kind: KindOption = None,
    dup: DupOption = "min",
    src: SrcOption = None,
    dst: DstOption = None,
    weight: WeightOption = None,
    n: VerticesOption = None,
) -> None:
    """Run ALGORITHM on GRAPH, verify the result and write it to a file."""
    import graphla as gl
    from graphla.cli import algorithms

    if algorithm == "list":
        out.print(algorithms.list_algorithms(), markup=False, highlight=False, soft_wrap=True)
        return
    check_name(algorithm, "algorithm", algorithms.names())
    if graph is None:
        raise typer.BadParameter("the graph is missing: a file, or e.g. kron:18")
    arguments = algorithms.call_arguments(algorithm, source, argument or ())
    if output is not None:
        from graphla.io.results import check_suffix

        check_suffix(output)
    with err.status(f"reading {escape(graph)}"):
        G = make_or_read_graph(
            graph, seed=seed, weights=weights,
            kind=kind, dup=dup, src=src, dst=dst, weight=weight, n=n,
        )  # fmt: skip
    if progress and any(p.name == "progress" for p in algorithms.parameters(algorithm)):
        arguments |= {"progress": err.is_terminal}
    begin = time.perf_counter()
    result = getattr(gl, algorithm)(G, **arguments)
    seconds = time.perf_counter() - begin
    out.print(f"{algorithm}: {algorithms.summarize(algorithm, result)} ({seconds * 1e3:,.1f} ms)")
    if output is not None:
        from graphla.io.results import write_result

        write_result(output, result)
        out.print(f"written to {escape(str(output))}")
    if verify:
        _verify(algorithm, G, arguments, result)


def _verify(name: str, G: Any, arguments: dict[str, Any], result: Any) -> None:
    from graphla.cli import algorithms
    from graphla.comparison.algorithms import ALGORITHMS

    if name not in ALGORITHMS:
        out.print("not verified: there is no check of this algorithm")
        return
    start = arguments.get("source", arguments.get("sources"))
    if start is None and ALGORITHMS[name].start == "vertices":
        start = range(G.n)
    others = {k: x for k, x in arguments.items() if k not in (*algorithms.SOURCES, "progress")}
    try:
        ALGORITHMS[name].verify(G, start, result, **others)
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
    src: SrcOption = None,
    dst: DstOption = None,
    weight: WeightOption = None,
    n: VerticesOption = None,
) -> None:
    """Read FILE and write it in the format of OUTPUT."""
    options = {"kind": kind, "dup": dup, "src": src, "dst": dst, "weight": weight, "n": n}
    _write(output, lambda: _read(file, **options))


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
    devices: Annotated[
        int | None, typer.Option(help="number of GPUs that share the graph (bfs, algebraic)", min=1)
    ] = None,
    ranks: Annotated[
        int | None, typer.Option(help="number of processes of this machine that share it", min=1)
    ] = None,
    jsonl: Annotated[Path | None, typer.Option(help="file to append rows to (JSON lines)")] = None,
) -> None:
    """Run the Graph500 benchmark and print its output block.

    If a result is wrong, there is no output block and the exit code is 1.
    """
    import graphla as gl

    check_folder(jsonl)
    if max_wait:
        err.print(f"waiting up to {max_wait:g} s for a quiet machine before the searches")
    if devices is not None or ranks is not None:
        if devices is not None and ranks is not None:
            raise InvalidCall("give --devices or --ranks, not both")
        if (kernel, split_names(algorithms), energy) != ("algebraic", ["bfs"], None):
            raise NotSupported("several processes run --algorithms bfs, --kernel algebraic alone")
        start = {"size": ranks} if devices is None else {"engine": "cuda", "devices": devices}
        with gl.ranks.start(**start) as processes:
            result = gl.graph500.run_on_ranks(
                processes, scale, edgefactor=edgefactor, searches=searches, seed=seed,
                max_wait=max_wait,
            )  # fmt: skip
    else:
        result = gl.graph500.run(
            scale, edgefactor=edgefactor, engine=engine, kernel=kernel,
            algorithms=split_names(algorithms),
            searches=searches, seed=seed, max_wait=max_wait, energy_s=energy,
            progress=err.is_terminal,
        )  # fmt: skip
    out.print(str(result), markup=False, highlight=False, soft_wrap=True)
    if jsonl is not None:
        result.to_jsonl(jsonl)


def _print_version(wanted: bool) -> None:
    if wanted:
        import graphla as gl

        out.print(f"graphla {gl.__version__}")
        raise typer.Exit


@app.callback()
def _before_a_command(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="print the version"),
    ] = False,
) -> None:
    context.with_resource(command_line())
    context.with_resource(warnings.catch_warnings())
    warnings.showwarning = _show_warning


def _show_warning(
    message: Warning | str, category: type[Warning], *_place: Any, **_options: Any
) -> None:
    """Print a warning without the line of Python that it is about."""
    err.print(f"[bold yellow]{category.__name__}[/]: ", end="")
    err.print(str(message), markup=False, highlight=False)


app.command()(compare)
app.command()(doctor)


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
