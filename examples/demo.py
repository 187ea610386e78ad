"""Run every algorithm on real and generated graphs, algebraic and native, and verify the results.

Reads two real graphs from files, generates a Kronecker graph and a random digraph, and runs each
algorithm on the graphs it is defined on: as linear algebra, and as a hand-written (native) kernel
if there is one. Prints a table, draws it as a picture, and writes a page with all measurements.
Run it with `make demo`; the first run compiles the kernels, which takes a minute or two.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

import graphla as gl
from graphla.comparison.algorithms import ALGORITHMS
from graphla.comparison.result import Comparison

LES_MISERABLES = Path(gl.__file__).parent / "data" / "les_miserables.wel"
OUT = Path("demo")
SMALL = 5000  # most vertices for the closure, which is quadratic, and for Bellman-Ford
HEAD = ("graph", "algorithm", "result", "algebra ms", "native ms", "algebra / native", "verified")


def graphs():
    """Yield (name, Graph): two real ones from files, two generated ones."""
    OUT.mkdir(exist_ok=True)
    imports = OUT / "python_imports.el"
    gl.write(imports, gl.generate.python_imports().graph)
    yield "les miserables", gl.read(LES_MISERABLES, kind="undirected")
    yield "python imports", gl.read(imports)
    yield "kronecker 18", gl.generate.kronecker(18, seed=1, weights=(1, 255))
    yield "digraph 5000", gl.generate.random_digraph(5000, 8, seed=1)


def fits(algorithm, G):
    """Return whether the demonstration runs the algorithm on the graph."""
    if algorithm.variant_of is not None:  # a variant of another one
        return False
    if algorithm.name == "transitive_closure":
        return G.kind == "directed" and G.n <= SMALL
    if algorithm.name == "bellman_ford":
        return G.n <= SMALL
    return algorithm.fits(G)


def run(name, G):
    """Yield (summary of the result, comparison of both implementations) for each algorithm."""
    hubs = np.argsort(-G.out_degree.to_dense(), kind="stable")[:4].tolist()
    for algorithm in ALGORITHMS.values():
        if fits(algorithm, G):
            start = {None: None, "vertex": hubs[0], "vertices": hubs}[algorithm.start]
            summary = algorithm.summarize(algorithm(G, start))
            yield summary, gl.compare(
                algorithm.name, {name: G}, sources=hubs, trials=5, budget=5.0, max_wait=1.0,
                implementations=["algebraic", "native"],
            )  # fmt: skip


def ms(row):
    """Return the median time of a row as text, empty without trials."""
    return f"{row['median_s'] * 1e3:,.1f}" if row and row["trials_s"] else ""


def ratio_text(ratio):
    """Return the median of a ratio, or that it is too noisy."""
    return "too noisy" if ratio.noisy else f"{ratio.median:.2f}"


def line(summary, comparison):
    """Return the cells of one line of the table."""
    rows = {row["implementation"]: row for row in comparison.rows}
    algebra, native = rows["graphla"], rows.get("native")
    ratio = comparison.ratios(to="native") if native else {}
    return (
        algebra["graph"],
        algebra["algorithm"],
        summary,
        ms(algebra),
        ms(native),
        "".join(ratio_text(r) for key, r in ratio.items() if key[2] == "graphla"),
        "yes" if all(row["verified"] for row in comparison.rows) else "NO",
    )


def draw(rows, path):
    """Write the table as a picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 0.27 * len(rows) + 0.8))
    axes = figure.subplots()
    axes.axis("off")
    table = axes.table(rows, colLabels=HEAD, loc="center", cellLoc="left", edges="horizontal")
    table.auto_set_font_size(False)
    table.set_fontsize(8)
    table.auto_set_column_width(range(len(HEAD)))
    axes.set_title("graphla: graph algorithms as linear algebra, and native", fontsize=10)
    figure.savefig(path, dpi=150, bbox_inches="tight")


def main():
    """Run everything, print the table, write demo/results.png and demo/comparison.html."""
    table = Table(title="graph algorithms as linear algebra, and native")
    for title in HEAD:
        table.add_column(title, justify="right" if "ms" in title or "/" in title else "left")
    console, rows = Console(width=140), []
    everything, levels = Comparison(), {}
    with console.status("running") as status:
        for name, G in graphs():
            for summary, comparison in run(name, G):
                rows.append(line(summary, comparison))
                table.add_row(*rows[-1])
                everything += comparison
                status.update(f"{name}: {rows[-1][1]} done")
            if name == "kronecker 18":
                levels[f"{name} from vertex 1"] = gl.compare_levels(G, 1)
    console.print(table)
    draw(rows, OUT / "results.png")
    everything.to_html(OUT / "comparison.html", levels=levels)
    if everything.failed:
        raise SystemExit(f"{len(everything.failed)} results are wrong; see {OUT}/comparison.html")
    console.print(f"Every result passed graphla.verify. A picture: {OUT / 'results.png'}")
    console.print(f"Times, spread, memory, and why they differ: {OUT / 'comparison.html'}")


if __name__ == "__main__":
    main()
