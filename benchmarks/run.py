"""Run the benchmarks listed in suite.toml by `graphla.compare` and append the rows.

    python benchmarks/run.py --graphs kron18 --algorithms bfs,sssp
    python benchmarks/run.py --implementations graphla,native --dry
    python benchmarks/run.py --peer my_peer --implementations graphla,my_peer
    python benchmarks/run.py --threads 16 --graphs kron22 --peer gap --implementations native,gap
    python benchmarks/run.py --graphs kron22 --engine cuda     # results are checked on the GPU

README.md describes the protocol and peer modules.
"""

from __future__ import annotations

import argparse
import importlib
import tomllib
from pathlib import Path

from checks import leave_out_devices, record_modularity, share_dependencies
from graphs import graph
from racing import add_max_wait, times

import graphla as gl
from graphla.comparison.pairs import ratio_of
from graphla.comparison.quiet import describe
from graphla.comparison.result import Comparison

HERE = Path(__file__).parent


def line_of(row, first):
    """Return one line for a row, with its ratio to the first row."""
    line = f"{row['graph']:14} {row['algorithm']:30} {row['implementation']:14}"
    if row["error"] or row["skipped"]:
        return f"{line} {row['error'] or 'skipped: ' + row['skipped']}"
    line += " " + times(row)
    ratio = None if row is first else ratio_of(row, first)
    if ratio:
        line += "  " + ratio.conclusion()
    return line + ("" if row["verified"] else "  not verified: too large for the check")


def print_ratios(comparisons):
    """Print the first implementation's median over each other's, one line a case."""
    print("\ngraph        algorithm                  ms         times over those of the others")
    for rows in comparisons:
        first = rows[0]
        if not first["trials_s"]:
            continue
        ratios = ((row["implementation"], ratio_of(first, row)) for row in rows[1:])
        texts = [f"{name} {r.median:.2f} ({r.low:.2f} to {r.high:.2f})" for name, r in ratios if r]
        name, ms = first["algorithm"], first["median_s"] * 1e3
        print(f"{first['graph']:12} {name:24} {ms:9.2f}   {', '.join(texts)}")


def names(text):
    """Return the names of a comma-separated list."""
    return [name for name in text.split(",") if name]


def main():
    """Run the chosen part of suite.toml and append the rows."""
    suite = tomllib.loads((HERE / "suite.toml").read_text())
    defaults = suite["defaults"]
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--graphs", type=names, default=list(suite["graphs"]), help="a,b,c")
    parser.add_argument(
        "--algorithms",
        type=names,
        help="a,b,c; on all chosen graphs",
    )
    parser.add_argument(
        "--implementations", type=names, default=["algebraic", "native"], help="names or families"
    )
    parser.add_argument("--peer", action="append", default=[], help="module of implementations")
    parser.add_argument("--trials", type=int, default=defaults["trials"])
    parser.add_argument("--threads", type=int, default=defaults["threads"])
    parser.add_argument("--budget", type=float, default=defaults["budget"], help="seconds")
    add_max_wait(parser)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "cpu.jsonl")
    parser.add_argument(
        "--engine",
        choices=("cpu", "cuda"),
        default="cpu",
        help="engine of the graphs; results are checked on it where the check does not need SciPy",
    )
    parser.add_argument(
        "--cpu", action="store_true", help="of families only the implementations on the CPU"
    )
    parser.add_argument("--unverified", action="store_true", help="check no results")
    parser.add_argument("--dry", action="store_true", help="print, but append no rows")
    options = parser.parse_args()
    if options.unverified and not options.dry:
        parser.error("rows of unverified results are not kept: --unverified needs --dry")
    comparisons = []
    gl.set_threads(options.threads)
    for module in options.peer:
        importlib.import_module(module)
    if options.cpu:
        leave_out_devices()
    share_dependencies()
    modularity = record_modularity()
    for name in options.graphs:
        listed = [a for a, graphs in suite["algorithms"].items() if name in graphs]
        if not (options.algorithms or listed):
            continue
        G = graph(suite, name).to(options.engine)
        for algorithm in options.algorithms or listed:
            comparison = gl.compare(
                algorithm,
                {name: G},
                sources=defaults["sources"],
                implementations=options.implementations,
                trials=options.trials,
                budget=options.budget,
                max_wait=options.max_wait,
                seed=defaults["source_seed"],
                verify=not options.unverified,
            )
            rows = comparison.rows
            for row in rows if algorithm == "louvain" else ():
                row["modularity"] = modularity.get((row["fingerprint"], row["implementation"]))
            comparison = Comparison(rows)
            comparisons.append(rows)
            print(*describe(rows), *(line_of(row, rows[0]) for row in rows), sep="\n", flush=True)
            if not options.dry:
                comparison.to_jsonl(options.out)
    print_ratios(comparisons)


if __name__ == "__main__":
    main()
