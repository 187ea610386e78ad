"""Write the page of results: python benchmarks/performance.py > docs/performance.md

Medians are computed from the raw rows; the last row for a graph and implementation counts. Rows of
the device from copies of the tree without a known commit (benchmarks/README.md) do not count.
performance.toml has the text, the figures of papers and peers, and the limits; charts.py draws the
charts. The table of the algebra's cost is also in the README (a test compares them).
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import report

from graphla.comparison.pairs import NOISY, faster, ratio_of

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
KNOWN_COMMITS = "2026-11-22"  # from this day on the rows of the device name their commits


def rows_of(name):
    """Yield the rows of results/NAME.jsonl."""
    path = HERE / "results" / f"{name}.jsonl"
    for line in path.read_text().splitlines() if path.exists() else ():
        yield json.loads(line)


def read():
    """Return {(algorithm, graph): {implementation: row}} of rows of a GPU with their commit."""
    measured = {}
    for name in ("cuda", "graph500", "beyond_memory"):
        for row in rows_of(name):
            known = row["commit"] and row["date"] >= KNOWN_COMMITS
            if known and row["machine"].get("gpu") and row["median_s"] is not None:
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
    """Return how many times faster the native kernel of the device is than the algebra there."""
    ratio = quotient(rows, "graphla-cuda", "native-cuda")
    return faster(1 / ratio) if ratio else ""


def days_of(rows):
    """Return the days on which rows were measured, newest first."""
    return ", ".join(sorted({row["date"][:10] for row in rows}, reverse=True))


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
    algebraic = report.races(report.read(), {"graphla"})
    race, on_device = algebraic[CLOSURE[1], CLOSURE[0]], device[CLOSURE]
    times = [race[name]["median_s"] * 1e3 for name in ("graphla", "native")]
    ratio = quotient(on_device, "graphla-cuda", "native-cuda")
    lines.append((CLOSURE[0], *times, quotient(race, "graphla", "native"), None, ratio))
    return lines


def cost_table():
    """Return the table of what the algebra costs, in Markdown."""
    kron, grid = COST_GRAPHS.values()
    heads = (
        f"{kron}: algebra, ms", "native, ms", "native is", f"{grid}: native is",
        "H200, Kronecker 2^24: native is",
    )  # fmt: skip
    text = f"| | {' | '.join(heads)} |\n|{'---|' * (len(heads) + 1)}\n"
    for algorithm, algebra, native, *ratios in cost_lines():
        cells = (faster(1 / x) if x else "" for x in ratios)
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
        compared = ["on the H200 native is"] if any(cost(rows) for _, rows in tables) else []
        heads = ["", "graph", *(COLUMNS[name] for name in shown), *compared, "measured on"]
        print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
        for (algorithm, graph), rows in sorted(tables, key=lambda item: natural_order(item[0])):
            cells = [f"`{algorithm}`", graph, *(median_ms(rows.get(name)) for name in shown)]
            cells += [cost(rows)] * len(compared)
            print(f"| {' | '.join((*cells, days_of(rows.values())))} |")
        print()


def effect(row, base):
    """Return how many times faster than on the untransformed graph, or that it is too noisy."""
    return NOISY if ratio_of(row, base).noisy else faster(row["ratio"])


def effects(about):
    """Print the rows of transforms.py, each compared with the untransformed graph."""
    print(f"## {about['name']}\n\n{about['introduction'].strip()}\n")
    tables, newest = {}, {}
    for row in rows_of("transforms"):
        key = row["engine"], row["algorithm"], row["graph"]
        if newest.get(key) != row["comparison"]:  # a later run replaces all rows of an earlier one
            newest[key], tables[key] = row["comparison"], {}
        tables[key][row["implementation"]] = row
    for engine in dict.fromkeys(engine for engine, _, _ in tables):
        print("| engine | kernel | graph | as it is, ms | transformed |\n|---|---|---|---|---|")
        for (row_engine, kernel, graph), rows in tables.items():
            if row_engine != engine:
                continue
            base = rows.pop("as it is")
            ratios = "; ".join(f"{name}: {effect(row, base)}" for name, row in rows.items())
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
