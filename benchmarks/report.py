"""Tables of the raw rows, as Markdown: python benchmarks/report.py > benchmarks/RESULTS.md

Nothing is measured here. Of rows for the same graph, algorithm and implementation
the last one counts. Figures of the literature stand beside them, with their machine.
"""

from __future__ import annotations

import json
import statistics
from pathlib import Path

HERE = Path(__file__).parent

# algorithm -> what its source reached, on the source's machine
FIGURES = {
    "bfs": "Kolganov 2018, R-MAT scale 25: 11 to 16.5 GTEPS on 18 Xeon cores, "
    "41 to 282 GTEPS on a Tesla P100",
    "sssp_distances": "Kolganov 2014, R-MAT scale 16: 1.1 G arcs/s (0.55 GTEPS) on a GTX Titan",
    "minimum_spanning_forest": "Kolganov 2015, R-MAT and SSCA2 scale 23: about 3.2 GTEPS "
    "on a GTX Titan with 6 Xeon cores",
    "transitive_closure": "Snytnikova, Nepomniaschaya 2016, n = 5000: 0.372 s on a Tesla K40, "
    "884.6 s for sequential Warshall on its host",
}


def last_rows():
    """Return the last row of each (graph, algorithm, implementation), in order of first sight."""
    rows = {}
    for path in sorted((HERE / "results").glob("*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            if row["trials_s"]:
                rows[row["graph"], row["algorithm"], row["implementation"]] = row
    return list(rows.values())


def peer_of(row, peers):
    """Return the peer that a row was alternated with, the quickest of several; or None."""
    met = [p for p in peers if (p["graph"], p["algorithm"]) == (row["graph"], row["algorithm"])]
    if "ratio" in row:
        met = [p for p in met if p["implementation"] == row["ratio"]["to"]]
    else:
        met = [p for p in met if p["date"] == row["date"]]
    return min(met, key=lambda p: p["median_s"], default=None)


def ratio(row, peer):
    """Return the median of the paired ratios and their quartiles: kept in rows before 2026-12."""
    if "ratio" in row:
        return row["ratio"]["median"], *row["ratio"]["quartiles"]
    pairs = [a / b for a, b in zip(row["trials_s"], peer["trials_s"], strict=False)]
    low, mid, high = statistics.quantiles(pairs, n=4, method="inclusive")
    return mid, low, high


def cells(row, peer):
    """Return the cells of one of our rows."""
    edges = row["nvals"] // 2 if row["graph"][0] != "d" else row["nvals"]
    return (
        row["graph"],
        f"`{row['algorithm']}`",
        row["implementation"],
        f"{row['median_s'] * 1e3:,.1f}",
        f"{peer['implementation']} {peer['median_s'] * 1e3:,.1f}" if peer else "",
        "{:.2f} ({:.2f} to {:.2f})".format(*ratio(row, peer)) if peer else "",
        f"{edges / row['median_s'] / 1e6:,.0f}",
        "" if row["peak_bytes"] is None else f"{row['peak_bytes'] / 1e6:,.0f}",
        f"{row['prepare_s']:.2f}",
        {True: "yes", None: "no: beyond it"}[row["verified"]],
    )


def main():
    """Print the tables."""
    rows = last_rows()
    peers = [r for r in rows if r["family"] == "peer"]
    ours = [r for r in rows if r["family"] != "peer"]
    machine, versions = ours[-1]["machine"], ours[-1]["versions"]
    head = ("graph", "algorithm", "code", "ms", "peer, its ms", "ratio (quartiles)", "M edges/s")
    head += ("peak MB", "prepare s", "verified")
    print("# Results\n")
    print(
        f"Made by `report.py` from the raw rows. {machine['cpu']}, {machine['threads']} threads, "
        f"SuiteSparse {versions['suitesparse-graphblas']}, python-graphblas "
        f"{versions['python-graphblas']}, Python {versions['python']}. Medians of 16 alternated "
        "trials. `graphla` is the algebra, `native` written by hand; lagraph-1.1.4 runs on the "
        "same libgraphblas and matrices. [README.md](README.md) has the protocol.\n"
    )
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in ours:
        print("| " + " | ".join(cells(row, peer_of(row, peers))) + " |")
    print("\nWhat the sources of the methods report, each on its own machine:\n")
    for algorithm, figure in FIGURES.items():
        print(f"- `{algorithm}`: {figure}.")


if __name__ == "__main__":
    main()
