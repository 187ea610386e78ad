"""Draw the charts of the README and of docs/performance.md: python benchmarks/charts.py

The values are medians of the raw rows (cpu_races and performance.read); every value that a chart
shows is also written in it. It needs matplotlib, and the folder docs/pictures.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
from performance import COST_GRAPHS, PEERS, cost_lines, cpu_races, h200_lines, short

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
COLOURS = {
    "algebra": "#1f5fa8",
    "native": "#c2571a",
    "scipy": "#4f8f3a",
    "networkx": "#9a3b8c",
    "igraph": "#7a7a7a",
    "networkit": "#b8901f",
    "rustworkx": "#3a9a9a",
}
STYLE = {
    "svg.fonttype": "none",  # text stays text: small files, and tests read the values
    "svg.hashsalt": "graphla",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def save(figure, name):
    """Write a figure as SVG without a date, so that equal rows give equal files."""
    PICTURES.mkdir(exist_ok=True)
    figure.savefig(PICTURES / name, metadata={"Date": None}, facecolor="white")
    plt.close(figure)


def cost_of_the_algebra():
    """Draw how many times faster the native kernel is than the algebra, a bar for each graph."""
    lines = cost_lines()
    figure, axes = plt.subplots(figsize=(7.2, 4.2), layout="constrained")
    labels = [algorithm for algorithm, *_ in lines]
    titles = (*COST_GRAPHS.values(), "H200, Kronecker 2^24")
    for offset, title in enumerate(titles):
        ratios = [line[3 + offset] for line in lines]
        shown = [(place, ratio) for place, ratio in enumerate(ratios) if ratio is not None]
        heights = [place + 0.27 * (offset - 1) for place, _ in shown]
        colour = (COLOURS["algebra"], COLOURS["native"], COLOURS["scipy"])[offset]
        widths = [ratio for _, ratio in shown]
        axes.barh(heights, widths, height=0.25, color=colour, label=title)
        for height, ratio in zip(heights, widths, strict=True):
            axes.text(ratio * 1.04, height, f"{ratio:.1f}", va="center", fontsize=7.5)
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xticks([1, 2, 5, 10, 20], ["1", "2", "5", "10", "20"])
    axes.minorticks_off()
    axes.set_xlim(0.9, 30)
    axes.set_xlabel("native kernel: times faster than the algebra")
    axes.legend(frameon=False, fontsize=8, loc="lower right")
    save(figure, "cost_of_the_algebra.svg")


def libraries_for_python():
    """Draw the times of all libraries, a row of points for each algorithm."""
    races = cpu_races()
    figure, panels = plt.subplots(1, 2, figsize=(9, 4), sharey=True, layout="constrained")
    for axes, (graph, title) in zip(panels, COST_GRAPHS.items(), strict=True):
        chosen = {key[1]: race for key, race in races.items() if key[0] == graph}
        for name, label in PEERS.items():
            points = [
                (race[name]["median_s"] * 1e3, place)
                for place, race in enumerate(chosen.values())
                if race.get(name) and race[name]["median_s"] is not None
            ]
            marker = "o" if name in ("graphla", "native") else "x"
            colour = COLOURS["algebra" if name == "graphla" else name]
            axes.scatter(*zip(*points, strict=True), marker=marker, color=colour, label=label, s=34)
        axes.set_yticks(range(len(chosen)), list(chosen))
        axes.set_xscale("log")
        axes.grid(axis="x", linewidth=0.4)
        axes.set_title(title, fontsize=9)
        axes.set_xlabel("ms, logarithmic: left is faster")
    panels[0].invert_yaxis()
    figure.legend(
        *panels[0].get_legend_handles_labels(),
        loc="outside lower center", ncols=7, frameon=False, fontsize=8,
    )  # fmt: skip
    save(figure, "libraries_for_python.svg")


def h200():
    """Draw times on an H200 beside SuiteSparse's on 16 cores of its host."""
    lines = h200_lines()
    figure, axes = plt.subplots(figsize=(7.2, 3.4), layout="constrained")
    titles = ("SuiteSparse, 16 cores", "algebra, H200", "native, H200")
    colours = (COLOURS["igraph"], COLOURS["algebra"], COLOURS["native"])
    for column, (title, colour) in enumerate(zip(titles, colours, strict=True)):
        points = [
            (line[1 + column], place)
            for place, line in enumerate(lines)
            if line[1 + column] is not None
        ]
        axes.scatter(*zip(*points, strict=True), color=colour, label=title, s=34)
        for time, place in points:
            axes.annotate(
                short(time), (time, place), textcoords="offset points", xytext=(0, 5),
                ha="center", fontsize=7,
            )  # fmt: skip
    axes.set_yticks(range(len(lines)), [line[0] for line in lines])
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.grid(axis="x", linewidth=0.4)
    axes.set_xlabel("ms on the Kronecker graph of scale 24, logarithmic: left is faster")
    axes.legend(frameon=False, fontsize=8)
    save(figure, "h200.svg")


def main():
    """Draw all charts."""
    with plt.rc_context(STYLE):
        cost_of_the_algebra()
        libraries_for_python()
        h200()


if __name__ == "__main__":
    main()
