"""Write the page of GPU results: python benchmarks/performance.py > docs/performance.md

Medians are computed from the raw rows; the last row for a graph and implementation counts.
performance.toml has the figures of papers and peers, the limits, and remarks from profiles.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from graphla.comparison.pairs import NOISY, ratio_of

HERE = Path(__file__).parent
COLUMNS = {  # implementation -> title of its column
    "graphla": "SuiteSparse",
    "native": "native, CPU",
    "graphla-cuda": "algebra, H200",
    "native-cuda": "native, H200",
    "cusparse": "cuSPARSE",
}


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


def section(kernel, measured):
    """Print the section of one kernel."""
    print(f"## {kernel['name']}\n")
    for field in ("source", "peer", "target", "limit"):
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
    print(kernel["remarks"].strip() + "\n")


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
