"""Write the page of results: python benchmarks/performance.py > docs/performance.md

Medians are computed from the raw rows; the last row for a graph and implementation counts.
performance.toml has the text, the figures of papers and peers, and the limits; charts.py draws the
charts. The table of the algebra's cost is also in the README (a test compares them).
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import report

from graphla.comparison.pairs import NOISY, ratio_of

HERE = Path(__file__).parent
COLUMNS = {  # implementation -> title of its column
    "graphla": "SuiteSparse",
    "native": "native, CPU",
    "graphla-cuda": "algebra, H200",
    "native-cuda": "native, H200",
    "cusparse": "cuSPARSE",
}

PEERS = {  # implementation -> title of its column, in comparisons on a CPU
    "graphla": "graphla, algebra",
    "native": "graphla, native",
    "scipy": "SciPy",
    "networkx": "NetworkX",
    "igraph": "igraph",
    "networkit": "NetworKit",
    "rustworkx": "rustworkx",
}
COST_GRAPHS = {"kron:18": "Kronecker 2^18", "grid:1000": "grid 1000 x 1000"}
CLOSURE = "transitive_closure", "digraph5000-8"  # the grid's closure would be a full matrix
H200 = ("graph500-24", "digraph5000-8")


def rows_of(name):
    """Yield the rows of results/NAME.jsonl."""
    path = HERE / "results" / f"{name}.jsonl"
    for line in path.read_text().splitlines() if path.exists() else ():
        yield json.loads(line)


def read():
    """Return {(algorithm, graph): {implementation: row}} of rows from machines with a GPU."""
    measured = {}
    for name in ("cuda", "graph500", "beyond_memory"):
        for row in rows_of(name):
            if row["machine"].get("gpu") and row["median_s"] is not None:
                key = row["algorithm"], row["graph"]
                measured.setdefault(key, {})[row["implementation"]] = row
    return measured


def median_ms(row):
    """Return the median in ms as text, with GTEPS for searches whose rate is a harmonic mean."""
    if row is None:
        return ""
    if row["median_s"] is None:
        return "failed" if row.get("error") else "skipped"
    text = f"{row['median_s'] * 1e3:,.2f}"
    if row.get("graph500") or "share" in row:
        text += f" ({row['gteps']:.3g} GTEPS)"
    return text


def cost(rows):
    """Return the ratio of algebraic to native time on the device."""
    algebra, native = rows.get("graphla-cuda"), rows.get("native-cuda")
    return f"{algebra['median_s'] / native['median_s']:.1f}" if algebra and native else ""


def commits_of(rows):
    """Return the commits at which rows were measured, newest first; "?" if unknown."""
    dated = sorted(rows, key=lambda row: row["date"], reverse=True)
    commits = ((row["commit"] or "?") for row in dated)
    return ", ".join(dict.fromkeys(name[:7] + "+" * name.endswith("+") for name in commits))


def natural_order(key):
    """Return a sort key that compares numbers in names as numbers."""
    return [[int(part) if part.isdigit() else part for part in re.split(r"(\d+)", x)] for x in key]


def cpu_races():
    """Return {(graph, algorithm): {implementation: row}} of the libraries for Python on a CPU."""
    python = set(PEERS) - {"graphla", "native"}
    races = report.races(report.read(), python)
    return {key: race for key, race in races.items() if key[0] in COST_GRAPHS}


def quotient(race, above, below):
    """Return the ratio of two medians, or None where one is missing."""
    a, b = race.get(above), race.get(below)
    return a["median_s"] / b["median_s"] if a and b else None


def cost_lines():
    """Return (algorithm, algebra ms, native ms, ratios by graph, ratio on an H200) by algorithm.

    The times are those of the first graph of COST_GRAPHS.
    """
    races, device = cpu_races(), read()
    first = next(iter(COST_GRAPHS))
    lines = []
    for algorithm in dict.fromkeys(name for _, name in races):
        on = [races[graph, algorithm] for graph in COST_GRAPHS]
        names = (algorithm, f"{algorithm}_gap", f"{algorithm} of 64 sources")
        rows = (device.get((name, H200[0]), {}) for name in names)
        ratios = [quotient(r, "graphla-cuda", "native-cuda") for r in rows]
        times = [races[first, algorithm][name]["median_s"] * 1e3 for name in ("graphla", "native")]
        ratio = next((x for x in ratios if x), None)
        lines.append(
            (algorithm, *times, *(quotient(race, "graphla", "native") for race in on), ratio)
        )
    native = report.races(report.read(), {"native"})
    race, on_device = native[CLOSURE[1], CLOSURE[0]], device[CLOSURE]
    times = [race[name]["median_s"] * 1e3 for name in ("graphla", "native")]
    ratio = quotient(on_device, "graphla-cuda", "native-cuda")
    lines.append((CLOSURE[0], *times, quotient(race, "graphla", "native"), None, ratio))
    return lines


def cost_table():
    """Return the table of what the algebra costs, in Markdown."""
    kron, grid = COST_GRAPHS.values()
    heads = (
        f"{kron}: algebra, ms", "native, ms", "algebra / native", f"{grid}: algebra / native",
        "H200, Kronecker 2^24: algebra / native",
    )  # fmt: skip
    text = f"| | {' | '.join(heads)} |\n|{'---|' * (len(heads) + 1)}\n"
    for algorithm, algebra, native, *ratios in cost_lines():
        cells = (f"{x:.1f}" if x else "" for x in ratios)
        text += f"| `{algorithm}` | {algebra:,.1f} | {native:,.1f} | {' | '.join(cells)} |\n"
    return text


def libraries_table(graph):
    """Return the table of all libraries on a graph, in Markdown."""
    text = f"| {COST_GRAPHS[graph]}, ms | {' | '.join(PEERS.values())} |\n"
    text += f"|{'---|' * (len(PEERS) + 1)}\n"
    for (name, algorithm), race in cpu_races().items():
        if name == graph:
            cells = (median_ms(race.get(peer)) for peer in PEERS)
            text += f"| `{algorithm}` | {' | '.join(cells)} |\n"
    return text


def short(time):
    """Return a time in ms with three digits, as the charts show it."""
    return f"{time:.3g}" if time < 1000 else f"{time:,.0f}"


def h200_lines():
    """Return (algorithm, SuiteSparse ms, algebra ms, native ms) on the graph of scale 24."""
    names = ("graphla", "graphla-cuda", "native-cuda")
    lines = []
    for (algorithm, graph), rows in read().items():
        if graph == H200[0] and {"graphla-cuda", "native-cuda"} <= set(rows):
            times = (rows[name]["median_s"] * 1e3 if name in rows else None for name in names)
            lines.append((algorithm, *times))
    return sorted(lines)


def section(kernel, measured):
    """Print the section of one kernel."""
    print(f"### {kernel['name']}\n")
    for field in ("source", "peer", "limit"):
        if field in kernel:
            print(f"- {field.capitalize()}: {kernel[field]}")
    names = kernel["algorithms"]
    tables = [(key, rows) for key, rows in measured.items() if key[0] in names]
    print()
    shown = [name for name in COLUMNS if any(name in rows for _, rows in tables)]
    if shown:
        compared = ["algebra / native"] if any(cost(rows) for _, rows in tables) else []
        heads = ["", "graph", *(COLUMNS[name] for name in shown), *compared, "commits"]
        print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
        for (algorithm, graph), rows in sorted(tables, key=lambda item: natural_order(item[0])):
            cells = [f"`{algorithm}`", graph, *(median_ms(rows.get(name)) for name in shown)]
            cells += [cost(rows)] * len(compared)
            print(f"| {' | '.join((*cells, commits_of(rows.values())))} |")
        print()


def effect(row, base):
    """Return the ratio of a row to the untransformed graph, or that it is too noisy."""
    return NOISY if ratio_of(row, base).noisy else f"{row['ratio']:.2f}"


def effects(about):
    """Print the rows of transforms.py: times relative to the untransformed graph."""
    print(f"## {about['name']}\n\n{about['introduction'].strip()}\n")
    tables, newest = {}, {}
    for row in rows_of("transforms"):
        key = row["engine"], row["algorithm"], row["graph"]
        if newest.get(key) != row["comparison"]:  # a later run replaces all rows of an earlier one
            newest[key], tables[key] = row["comparison"], {}
        tables[key][row["implementation"]] = row
    for engine in dict.fromkeys(engine for engine, _, _ in tables):
        print("| engine | kernel | graph | as it is, ms | time over that |\n|---|---|---|---|---|")
        for (row_engine, kernel, graph), rows in tables.items():
            if row_engine != engine:
                continue
            base = rows.pop("as it is")
            ratios = "; ".join(f"{name} {effect(row, base)}" for name, row in rows.items())
            print(f"| {engine} | `{kernel}` | {graph} | {base['median_s'] * 1e3:,.2f} | {ratios} |")
        print()


def main():
    """Print the page."""
    about = tomllib.loads((HERE / "performance.toml").read_text())
    measured = read()
    print(f"# Performance\n\n{about['introduction'].strip()}\n")
    print(f"## On a CPU\n\n{about['cpu'].strip()}\n")
    for graph in COST_GRAPHS:
        print(libraries_table(graph))
    print(f"## What the algebra costs\n\n{about['cost'].strip()}\n\n{cost_table()}")
    print(f"## On a GPU\n\n{about['h200'].strip()}\n")
    for kernel in about["kernel"]:
        section(kernel, measured)
    effects(about["transforms"])


if __name__ == "__main__":
    main()
