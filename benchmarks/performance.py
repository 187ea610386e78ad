"""The page of figures on the GPU: python benchmarks/performance.py > docs/performance.md

performance.toml has the sources' figures, the peers', the limits and what the profiles showed;
the medians are of the raw rows, of which the last for a graph and implementation count.
Nothing is measured here.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from graphla.comparison.pairs import NOISY, ratio_of

HERE = Path(__file__).parent
COLUMNS = {  # implementation -> head
    "graphla": "SuiteSparse",
    "native": "native, CPU",
    "graphla-cuda": "algebra, H200",
    "native-cuda": "native, H200",
    "cusparse": "cuSPARSE",
}


def rows_of(name):
    """Yield the rows of a file of results."""
    path = HERE / "results" / f"{name}.jsonl"
    for line in path.read_text().splitlines() if path.exists() else ():
        yield json.loads(line)


def read():
    """Return {(algorithm, graph): {implementation: row}} of what ran beside a GPU."""
    found = {}
    for name in ("cuda", "graph500", "beyond_memory"):
        for row in rows_of(name):
            if row["machine"].get("gpu") and row["median_s"] is not None:
                key = row["algorithm"], row["graph"]
                found.setdefault(key, {})[row["implementation"]] = row
    return found


def told(row):
    """Return a median in ms, and the rate of a search."""
    if row is None:
        return ""
    text = f"{row['median_s'] * 1e3:,.2f}"
    if row.get("graph500") or "share" in row:  # a rate that is a harmonic mean
        text += f" ({row['gteps']:.3g} GTEPS)"
    return text


def cost(rows):
    """Return what the algebra costs on the device: its time over the native one's."""
    algebra, native = rows.get("graphla-cuda"), rows.get("native-cuda")
    return f"{algebra['median_s'] / native['median_s']:.1f}" if algebra and native else ""


def trees(rows):
    """Return the commits that rows were measured at, the newest first; "?": a copy without one."""
    dated = sorted(rows, key=lambda row: row["date"], reverse=True)
    commits = ((row["commit"] or "?") for row in dated)
    return ", ".join(dict.fromkeys(name[:7] + "+" * name.endswith("+") for name in commits))


def in_order(key):
    """Return what sorts names by the numbers in them."""
    return [[int(part) if part.isdigit() else part for part in re.split(r"(\d+)", x)] for x in key]


def section(kernel, measured):
    """Print one kernel's part."""
    print(f"## {kernel['name']}\n")
    for what in ("source", "peer", "target", "limit"):
        if what in kernel:
            print(f"- {what.capitalize()}: {kernel[what]}")
    names = kernel["algorithms"]
    tables = [(key, rows) for key, rows in measured.items() if key[0] in names]
    print()
    shown = [name for name in COLUMNS if any(name in rows for _, rows in tables)]
    if shown:
        compared = ["algebra / native"] if any(cost(rows) for _, rows in tables) else []
        heads = ["", "graph", *(COLUMNS[name] for name in shown), *compared, "trees"]
        print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
        for (algorithm, graph), rows in sorted(tables, key=lambda item: in_order(item[0])):
            cells = [f"`{algorithm}`", graph, *(told(rows.get(name)) for name in shown)]
            cells += [cost(rows)] * len(compared)
            print(f"| {' | '.join((*cells, trees(rows.values())))} |")
        print()
    print(kernel["remarks"].strip() + "\n")


def effect(row, base):
    """Return the ratio of a row to the graph as it is, or that it is too noisy."""
    return NOISY if ratio_of(row, base).noisy else f"{row['ratio']:.2f}"


def effects(about):
    """Print what the rows of transforms.py say: times over those of the graph as it is."""
    print(f"## {about['name']}\n\n{about['introduction'].strip()}\n")
    tables, newest = {}, {}
    for row in rows_of("transforms"):
        key = row["engine"], row["algorithm"], row["graph"]
        if newest.get(key) != row["comparison"]:  # a run replaces the one before as a whole
            newest[key], tables[key] = row["comparison"], {}
        tables[key][row["implementation"]] = row
    for engine in dict.fromkeys(engine for engine, _, _ in tables):
        print("| engine | kernel | graph | as it is, ms | time over that |\n|---|---|---|---|---|")
        for (where, kernel, graph), rows in tables.items():
            if where != engine:
                continue
            base = rows.pop("as it is")
            ratios = "; ".join(f"{name} {effect(row, base)}" for name, row in rows.items())
            print(f"| {engine} | `{kernel}` | {graph} | {base['median_s'] * 1e3:,.2f} | {ratios} |")
        print()
    print(about["remarks"].strip() + "\n")


def main():
    """Print the page."""
    about = tomllib.loads((HERE / "performance.toml").read_text())
    measured = read()
    print(f"# Performance\n\n{about['introduction'].strip()}\n")
    for kernel in about["kernel"]:
        section(kernel, measured)
    effects(about["transforms"])


if __name__ == "__main__":
    main()
