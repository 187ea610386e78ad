"""Real and generated graphs analysed by algebra and by hand, every result verified.

Reads two real graphs from files, generates a Kronecker graph and a random digraph,
and runs every algorithm on all graphs that it is defined on: as linear algebra, and
by the hand-written kernel where there is one. Prints one table, draws it, and writes
a page with all that was measured. Run it with `make demo`; the kernels are compiled
in the first run, which takes a minute or two.
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
SMALL = 5000  # the closure, which is quadratic, runs on graphs of up to this many vertices
HEAD = ("graph", "algorithm", "result", "algebra ms", "by hand ms", "algebra / by hand", "verified")


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
    """Whether the demonstration runs the algorithm on the graph."""
    if algorithm.of is not None:  # a variant of another one
        return False
    if algorithm.name == "transitive_closure":
        return G.kind == "directed" and G.n <= SMALL
    if algorithm.name == "bellman_ford":
        return G.n <= SMALL
    return algorithm.fits(G)


def run(name, G):
    """Yield, for each algorithm on the graph, what it found and the comparison of both forms."""
    hubs = np.argsort(-G.out_degree.to_dense(), kind="stable")[:4].tolist()
    for algorithm in ALGORITHMS.values():
        if fits(algorithm, G):
            start = {None: None, "vertex": hubs[0], "vertices": hubs}[algorithm.start]
            found = algorithm.summarize(algorithm(G, start))
            yield found, gl.compare(
                algorithm.name, {name: G}, sources=hubs, trials=5, budget=5.0, max_wait=1.0,
                implementations=["algebraic", "native"],
            )  # fmt: skip


def ms(row):
    """Return the median time of a row, where it has one."""
    return f"{row['median_s'] * 1e3:,.1f}" if row and row["trials_s"] else ""


def told(ratio):
    """Return the median of a ratio, or that nothing can be concluded from it."""
    return "too noisy" if ratio.noisy else f"{ratio.median:.2f}"


def line(found, comparison):
    """Return the cells of one line of the table."""
    rows = {row["implementation"]: row for row in comparison.rows}
    algebra, native = rows["graphla"], rows.get("native")
    ratio = comparison.ratios(to="native") if native else {}
    return (
        algebra["graph"],
        algebra["algorithm"],
        found,
        ms(algebra),
        ms(native),
        "".join(told(r) for key, r in ratio.items() if key[2] == "graphla"),
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
    axes.set_title("graphla: graph algorithms as linear algebra, and by hand", fontsize=10)
    figure.savefig(path, dpi=150, bbox_inches="tight")


def main():
    """Run everything, print the table, write demo/results.png and demo/comparison.html."""
    table = Table(title="graph algorithms as linear algebra, and by hand")
    for title in HEAD:
        table.add_column(title, justify="right" if "ms" in title or "/" in title else "left")
    console, rows = Console(width=140), []
    everything, levels = Comparison(), {}
    with console.status("running") as status:
        for name, G in graphs():
            for found, comparison in run(name, G):
                rows.append(line(found, comparison))
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
