"""Real and generated graphs analysed as linear algebra, every result verified.

Reads two real graphs from files, generates a Kronecker graph and a random
digraph, runs every algorithm on all graphs that it is defined on, verifies each
result by its invariants, prints one table and draws it. Run it with `make demo`.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

import graphla as gl
from graphla.comparison.registry import ALGORITHMS

LES_MISERABLES = Path(gl.__file__).parent / "data" / "les_miserables.wel"
OUT = Path("demo")
SMALL = 5000  # the closure, which is quadratic, runs on graphs of up to this many vertices


def graphs():
    """Yield (name, Graph): two real ones from files, two generated ones."""
    OUT.mkdir(exist_ok=True)
    imports = OUT / "python_imports.el"
    gl.write(imports, gl.generate.python_imports().graph)
    yield "les miserables", gl.read(LES_MISERABLES, kind="undirected")
    yield "python imports", gl.read(imports)
    yield "kronecker 18", gl.generate.kronecker(18, seed=1, weights=(1, 255))
    yield "digraph 5000", gl.generate.random_digraph(5000, 8, seed=1)


def start_of(algorithm, G):
    """Return the vertex of largest degree, or the four largest, where one is needed."""
    order = np.argsort(-G.out_degree.to_dense(), kind="stable").tolist()
    return {None: None, "vertex": order[0], "vertices": order[:4]}[algorithm.start]


def fits(algorithm, G):
    """Whether the demonstration runs the algorithm on the graph."""
    if algorithm.name == "transitive_closure":
        return G.kind == "directed" and G.n <= SMALL
    if algorithm.name == "bellman_ford":
        return G.n <= SMALL
    return algorithm.of is None and algorithm.fits(G)


def run():
    """Yield one row of text for each algorithm on each graph, as it is ready."""
    for name, G in graphs():
        G.cache("AT", "out_degree", "is_symmetric")
        for algorithm in ALGORITHMS.values():
            if not fits(algorithm, G):
                continue
            start = start_of(algorithm, G)
            if algorithm.name == "minimum_spanning_forest":
                G.cache("ranks")
            begun = time.perf_counter()
            result = algorithm(G, start)
            seconds = time.perf_counter() - begun
            algorithm.verify(G, start, result)  # raises where an invariant is broken
            rate = f"{G.nedges / seconds / 1e6:,.1f}" if algorithm.traversed else ""
            yield name, algorithm.name, algorithm.tell(result), f"{seconds * 1e3:,.1f}", rate, "yes"


def draw(head, rows, path):
    """Write the table as a picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 0.27 * len(rows) + 0.8))
    axes = figure.subplots()
    axes.axis("off")
    table = axes.table(rows, colLabels=head, loc="center", cellLoc="left", edges="horizontal")
    table.auto_set_font_size(False)
    table.set_fontsize(8)
    table.auto_set_column_width(range(len(head)))
    axes.set_title("graphla: graph algorithms as linear algebra on the CPU", fontsize=10)
    figure.savefig(path, dpi=150, bbox_inches="tight")


def main():
    """Run everything, print the table and write demo/results.png."""
    head = ("graph", "algorithm", "result", "ms", "MTEPS", "verified")
    table = Table(title="graph algorithms as linear algebra")
    for title in head:
        table.add_column(title, justify="right" if title in ("ms", "MTEPS") else "left")
    console, rows = Console(width=110), []
    with console.status("running") as status:
        for row in run():
            status.update(f"{row[0]}: {row[1]} done")
            table.add_row(*row)
            rows.append(row)
    console.print(table)
    draw(head, rows, OUT / "results.png")
    console.print(f"Every result passed graphla.verify. The picture: {OUT / 'results.png'}")


if __name__ == "__main__":
    main()
