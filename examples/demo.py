"""Run every algorithm on real and generated graphs, algebraic and native, and verify the results.

Reads two real graphs from files, generates a Kronecker graph and a random digraph, and runs each
algorithm on the graphs it is defined on: as linear algebra, and as a hand-written (native) kernel
if there is one. Prints the results, then a heat map of how much faster the kernels are, with what
to conclude from it; writes the heat map as a picture, and a page with all measurements.
Run it with `make demo`; the first run compiles the kernels, which takes about a minute.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

import graphla as gl
from graphla.comparison.algorithms import ALGORITHMS
from graphla.comparison.report.heat_map import text_map
from graphla.comparison.result import Comparison

LES_MISERABLES = Path(gl.__file__).parent / "data" / "les_miserables.wel"
OUT = Path("demo")
SMALL = 5000  # most vertices for the closure, which is quadratic, and for Bellman-Ford
SCALE = 16  # of the Kronecker graph, which has 2^SCALE vertices
VERTICES = 5000  # of the random digraph
SECONDS = 150  # of measuring; then an algorithm gets the fewest trials and one look at the load
HEAD = ("graph", "algorithm", "result", "algebra ms", "by hand ms", "verified")


def graphs():
    """Yield (name, Graph): two real ones from files, two generated ones."""
    OUT.mkdir(exist_ok=True)
    imports = OUT / "python_imports.el"
    gl.write(imports, gl.generate.python_imports().graph)
    yield "les_miserables", gl.read(LES_MISERABLES, kind="undirected")
    yield "python_imports", gl.read(imports)
    yield f"random_digraph:{VERTICES}", gl.generate.random_digraph(VERTICES, 8, seed=1)
    yield f"kron:{SCALE}", gl.generate.kronecker(SCALE, seed=1, weights=(1, 255))


def fits(algorithm, G):
    """Return whether the demonstration runs the algorithm on the graph."""
    if algorithm.variant_of is not None:  # a variant of another one
        return False
    if algorithm.name == "transitive_closure":
        return G.kind == "directed" and G.n <= SMALL
    if algorithm.name in ("bellman_ford", "closeness_centrality"):  # n searches, or n products
        return G.n <= SMALL
    return algorithm.fits(G)


def run(name, G, end):
    """Yield (summary of the result, comparison of both implementations) for each algorithm."""
    hubs = np.argsort(-G.out_degree.to_dense(), kind="stable")[:4].tolist()
    for algorithm in ALGORITHMS.values():
        if fits(algorithm, G):
            start = {None: None, "vertex": hubs[0], "vertices": hubs}[algorithm.start]
            summary = algorithm.summarize(algorithm(G, start))
            in_time = time.monotonic() < end
            yield summary, gl.compare(
                algorithm.name, {name: G}, sources=hubs, trials=9 if in_time else 3, budget=2.0,
                max_wait=1.0 if in_time else 0.01, implementations=["algebraic", "native"],
            )  # fmt: skip


def ms(row):
    """Return the median time of a row as text, empty without trials."""
    return f"{row['median_s'] * 1e3:,.1f}" if row and row["trials_s"] else ""


def line(summary, comparison):
    """Return the cells of one line of the table."""
    rows = {row["implementation"]: row for row in comparison.rows}
    algebra, native = rows["graphla"], rows.get("native")
    verified = "yes" if all(row["verified"] for row in comparison.rows) else "NO"
    return algebra["graph"], algebra["algorithm"], summary, ms(algebra), ms(native), verified


def main():
    """Run everything, print tables, write demo/results.png and demo/comparison.html."""
    table = Table(title="graph algorithms as linear algebra, and by hand", title_justify="left")
    for title in HEAD:
        table.add_column(title, justify="right" if "ms" in title else "left")
    console, everything, levels = Console(width=140), Comparison(), {}
    end = time.monotonic() + SECONDS
    console.print(
        "Four graphs, each algorithm twice: about three minutes on a quiet machine. "
        f"Results go to {OUT}/."
    )
    with console.status("running") as status:
        for name, G in graphs():
            for summary, comparison in run(name, G, end):
                table.add_row(*line(summary, comparison))
                everything += comparison
                status.update(f"{name}: {comparison[0]['algorithm']} done")
            if name.startswith("kron"):
                levels[f"{name} from vertex 1"] = gl.compare_levels(G, 1)
    console.print(table)
    everything.heat_map(OUT / "results.png")
    everything.to_html(OUT / "comparison.html", levels=levels)
    if everything.failed:
        raise SystemExit(f"{len(everything.failed)} results are wrong; see {OUT}/comparison.html")
    console.print(
        f"Every result passed graphla.verify. Times, spread, memory: {OUT}/comparison.html"
    )
    console.print(text_map(everything.rows))
    for sentence in everything.conclusions():
        console.print(sentence, highlight=False)
    console.print(f"The chart as a picture: {OUT}/results.png")


if __name__ == "__main__":
    main()
