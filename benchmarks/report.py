"""Tables of the raw rows, as Markdown: python benchmarks/report.py > benchmarks/RESULTS.md

Nothing is measured here. Of rows for the same graph, algorithm and implementation
the last one counts. Figures of the literature stand beside them, with their machine.
"""

from __future__ import annotations

import json
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
            rows[row["graph"], row["algorithm"], row["implementation"]] = row
    return list(rows.values())


def cells(row, peers):
    """Return the cells of one of our rows."""
    peer = peers.get((row["graph"], row["algorithm"]))
    ratio = row.get("ratio")
    edges = row["nvals"] // 2 if row["graph"][0] != "d" else row["nvals"]
    return (
        row["graph"],
        f"`{row['algorithm']}`",
        f"{row['median_s'] * 1e3:,.1f}",
        f"{peer['median_s'] * 1e3:,.1f}" if peer else "",
        f"{ratio['median']:.2f} ({ratio['quartiles'][0]:.2f} to {ratio['quartiles'][1]:.2f})"
        if ratio
        else "",
        f"{edges / row['median_s'] / 1e6:,.0f}",
        f"{row['peak_bytes'] / 1e6:,.0f}",
        f"{row['prepare_s']:.2f}",
        {True: "yes", None: "no: beyond it"}[row["verified"]],
    )


def main():
    """Print the tables."""
    rows = last_rows()
    peers = {(r["graph"], r["algorithm"]): r for r in rows if r["family"] == "peer"}
    ours = [r for r in rows if r["family"] == "algebraic"]
    machine, versions = ours[-1]["machine"], ours[-1]["versions"]
    head = ("graph", "algorithm", "ms", "peer ms", "ratio (quartiles)", "M edges/s")
    head += ("peak MB", "prepare s", "verified")
    print("# Results\n")
    print(
        f"Made by `report.py` from the raw rows. {machine['cpu']}, {machine['threads']} threads, "
        f"SuiteSparse {versions['suitesparse-graphblas']}, python-graphblas "
        f"{versions['python-graphblas']}, Python {versions['python']}. Medians of 16 alternated "
        f"trials; the peer is {next(iter(peers.values()))['implementation']} on the same "
        "libgraphblas and matrices. [README.md](README.md) has the protocol.\n"
    )
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in ours:
        print("| " + " | ".join(cells(row, peers)) + " |")
    print("\nWhat the sources of the methods report, each on its own machine:\n")
    for algorithm, figure in FIGURES.items():
        print(f"- `{algorithm}`: {figure}.")


if __name__ == "__main__":
    main()
