"""Write tables of the CPU rows as Markdown: python benchmarks/report.py > benchmarks/RESULTS.md

The last rows for a graph, algorithm and implementation count. Figures from papers follow the
tables, with the machines on which they were measured.
"""

from __future__ import annotations

import json
import statistics
from pathlib import Path

from graphla.comparison.pairs import Ratio, ratio_of

HERE = Path(__file__).parent
THREADS = (2, 16)
WITHOUT_PARENTS = {"sssp": "sssp_distances", "bfs": "bfs_levels"}

# algorithm -> figures of the paper, with its machine
FIGURES = {
    "bfs": "Kolganov 2018, R-MAT scale 25: 11 to 16.5 GTEPS on 18 Xeon cores, "
    "41 to 282 GTEPS on a Tesla P100",
    "sssp_distances": "Kolganov 2014, R-MAT scale 16: 1.1 G arcs/s (0.55 GTEPS) on a GTX Titan",
    "minimum_spanning_forest": "Kolganov 2015, R-MAT and SSCA2 scale 23: about 3.2 GTEPS "
    "on a GTX Titan with 6 Xeon cores",
    "transitive_closure": "Snytnikova, Nepomniaschaya 2016, n = 5000: 0.372 s on a Tesla K40, "
    "884.6 s for sequential Warshall on its host",
}


def read(pattern="cpu*.jsonl"):
    """Return all rows of some files in the order in which they were measured."""
    return [
        json.loads(line)
        for path in sorted((HERE / "results").glob(pattern))
        for line in path.read_text().splitlines()
    ]


def last_by(rows, *fields):
    """Return {values of these fields, and threads: row}, of the last row of each."""
    return {(*(row[field] for field in fields), threads_of(row)): row for row in rows}


def table(head, lines):
    """Print a table."""
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for line in lines:
        print("| " + " | ".join(line) + " |")
    print()


def ms(row):
    """Return the median in ms, or why there is none."""
    if row is None:
        return ""
    if row["median_s"] is None:
        return "failed" if row.get("error") else "skipped"
    return f"{row['median_s'] * 1e3:,.2f}" + ("" if row["verified"] else " (not judged)")


def comparison(a, b):
    """Return how many times faster `a` is, with quartiles of pairs, or that they are too noisy."""
    ratio = ratio_of(a, b) if a and b else None
    return ratio.in_words() if ratio else ""


def beside_lagraph(rows, threads):
    """Yield the lines of algebraic algorithms against LAGraph.

    The last comparison counts; in older rows, of two threads, the ratio is a field.
    """
    last = races(rows, {"lagraph"}, threads)
    for (graph, algorithm), race in last.items():
        ours, theirs = race.get("graphla"), race["lagraph"]
        if ours and ours["trials_s"]:
            yield lagraph_line(graph, algorithm, ours, theirs, comparison(ours, theirs))
    if threads != 2:
        return
    older = {
        (r["graph"], r["algorithm"]): r for r in rows if r["implementation"] == "lagraph-1.1.4"
    }
    ours = {(r["graph"], r["algorithm"]): r for r in rows if "ratio" in r}
    for (graph, algorithm), r in ours.items():
        if (graph, algorithm) in last:
            continue
        x = r["ratio"]
        ratio = Ratio(x["median"], *x["quartiles"], len(r["trials_s"]), "lagraph", alike=True)
        yield lagraph_line(graph, algorithm, r, older[graph, algorithm], ratio.in_words())


def lagraph_line(graph, algorithm, ours, theirs, words):
    """Return the cells of a line."""
    return (
        graph, f"`{algorithm}`", ms(ours), ms(theirs | {"verified": True}), words,
        f"{ours['peak_bytes'] / 1e6:,.0f}", f"{ours['prepare_s']:.2f}",
    )  # fmt: skip


def threads_of(row):
    """Return the number of threads of a row."""
    return row["machine"].get("threads", 2)


def races(rows, wanted, threads=2):
    """Return {(graph, algorithm): {implementation: row}} of the last comparisons.

    Only comparisons by this number of threads that contain one of the wanted implementations count.
    """
    comparisons = {}
    for r in rows:
        if "returns" in r and threads_of(r) == threads:
            key = r["graph"], r["algorithm"], r["date"]
            comparisons.setdefault(key, {})[r["implementation"]] = r
    return {key[:2]: race for key, race in comparisons.items() if wanted & set(race)}


def beside_gap(rows, threads):
    """Yield the lines of algebraic against native algorithms, and of native ones against GAP.

    Each is the last comparison of its kind; the native time is that of the latter if there is one.
    """
    by_algebra = {
        key: race
        for key, race in races(rows, {"graphla"}, threads).items()
        if "native" in race and race["native"]["trials_s"]
    }
    with_gap = races(rows, {"gap"}, threads)
    for graph, algorithm in by_algebra | with_gap:
        race, other = (x.get((graph, algorithm), {}) for x in (with_gap, by_algebra))
        native, algebra = race.get("native") or other.get("native"), other.get("graphla")
        if not (native and native["trials_s"]):
            continue
        peers = [r for name, r in race.items() if name.startswith("gap")] or [None]
        ratio = comparison(other.get("native"), algebra)
        for peer in peers:
            peak = native["peak_bytes"]
            yield (
                graph, f"`{algorithm}`", ms(algebra), ms(native), ratio,
                f"{peer['implementation']} {ms(peer)}" if peer else "", comparison(native, peer),
                "" if peak is None else f"{peak / 1e6:,.0f}", f"{native['prepare_s']:.2f}",
                str(len(native["trials_s"])),
            )  # fmt: skip


def beside_python(last, names):
    """Yield the lines of medians of all implementations for Python.

    The last cell says what the faster one of ours is beside the fastest other one.
    """
    for (graph, algorithm), race in last.items():
        ours, other = (
            min(
                (r for r in race.values() if (r["family"] == "peer") is is_peer and r["trials_s"]),
                key=lambda r: r["median_s"],
                default=None,
            )
            for is_peer in (False, True)
        )
        words = comparison(ours, other)
        if words:
            words = f"{ours['implementation']} beside {other['implementation']}: {words}"
        yield (graph, f"`{algorithm}`", *(ms(race.get(name)) for name in names), words)


def modularities(rows, names):
    """Yield the lines of modularities of the last comparisons that have them."""
    rows = [r for r in rows if r.get("modularity") is not None]
    for (graph, _, threads), race in grouped(rows).items():
        values = (race.get(name) for name in names)
        yield graph, str(threads), *("" if r is None else f"{r['modularity']:.5f}" for r in values)


def grouped(rows):
    """Return {(graph, algorithm, threads): {implementation: row}} of the last comparisons."""
    comparisons = {}
    for r in rows:
        key = r["graph"], r["algorithm"], threads_of(r)
        if comparisons.get(key, {}).get("date") != r["date"]:
            comparisons[key] = {"date": r["date"]}
        comparisons[key][r["implementation"]] = r
    return comparisons


def constructions(rows):
    """Yield the lines of graphs made, read and written, beside what GAP or NumPy takes."""
    last = last_by(rows, "algorithm", "graph", "implementation")
    for (operation, graph, implementation, threads), row in last.items():
        if implementation != "graphla":
            continue
        others = (last.get((operation, graph, name, threads)) for name in ("gap", "numpy"))
        other = next(filter(None, others), None)
        beside = other and f"{other['implementation']} {other['median_s']:.2f}"
        rates = [f"{row[key]:,.0f}" if key in row else "" for key in ("mb_per_s", "mb_per_cpu_s")]
        peak = row.get("peak_bytes")
        memory = f"{peak / row['result_bytes']:.2f} of the result" if peak else ""
        cpu_s = f"{statistics.median(row['cpu_s']):.2f}"
        yield (
            f"`{operation}`", graph, str(threads), f"{row['median_s']:.2f}", cpu_s, beside or "",
            *rates, memory,
        )  # fmt: skip


def costs_of_parents(rows):
    """Yield the lines of searches with parents beside those without."""
    last = last_by(rows, "graph", "from", "implementation", "algorithm")
    for (graph, kind, implementation, algorithm, threads), tree in last.items():
        without = WITHOUT_PARENTS.get(algorithm)
        if without is None:
            continue
        pair = ms(tree), ms(last[graph, kind, implementation, without, threads])
        ratio = ratio_of(tree, last[graph, kind, implementation, without, threads])
        sources = {"connected": "with edges", "isolated": "without edges"}[kind]
        threads = "" if tree["engine"] == "cuda" else str(threads)
        yield graph, f"`{algorithm}`", implementation, threads, sources, *pair, ratio.conclusion()


def machines(rows, threads):
    """Return the processors of the rows by some threads, and the versions of the last one."""
    rows = [row for row in rows if threads_of(row) == threads]
    names = " or ".join(sorted({row["machine"]["cpu"] for row in rows}))
    of = rows[-1]["versions"]
    return (
        f"{names}, each comparison on one of them; SuiteSparse {of['suitesparse-graphblas']}, "
        f"python-graphblas {of['python-graphblas']}, Numba {of['numba']}, Python {of['python']}."
    )


def main():
    """Print the tables."""
    rows = read()
    print("# Results\n")
    print(
        "Made by `report.py` from the raw rows. Medians in ms; factors are medians of alternated "
        "pairs of one run with their quartiles. Where the algebra and GAP were measured in "
        "different runs, the column native is of the run with GAP, and the factor beside it of the "
        "run with the algebra: the columns do not divide to it. Every row was verified but for "
        "those marked, and LAGraph's before 2026-11-26. "
        "[README.md](README.md) has the protocol and says where the time goes.\n"
    )
    for threads in THREADS:
        print(f"- {threads} threads: {machines(rows, threads)}")
    print()
    python = {"scipy", "networkx", "igraph", "networkit", "rustworkx"}
    own = [r for r in rows if r["implementation"] not in python]
    head = ("graph", "algorithm", "algebra", "native", "native is", "GAP", "native beside GAP is")
    head = (*head, "native peak MB", "prepare s", "pairs")
    for threads in THREADS:
        print(f"## By algebra and by hand, beside the GAP Benchmark Suite: {threads} threads\n")
        table(head, beside_gap(own, threads))
    names = ("graphla", "native", "scipy", "networkx", "igraph", "networkit", "rustworkx")
    for threads in THREADS:
        print(f"## Beside what Python offers: {threads} threads\n")
        last = races(rows, python, threads)
        table(("graph", "algorithm", *names, "ours"), beside_python(last, names))
    print("Modularity of the communities of `louvain`:\n")
    table(("graph", "threads", *names), modularities(rows, names))
    head = ("graph", "algorithm", "algebra", "LAGraph", "the algebra is", "peak MB", "prepare s")
    for threads in THREADS:
        title = "The algebra beside LAGraph 1.1.4, on the same library and matrices"
        print(f"## {title}: {threads} threads\n")
        table(head, beside_lagraph(rows, threads))
    print("## Graphs generated, built, read and written\n")
    print(
        "Seconds by `building.py`; a text file has 1 GB, .npz and .parquet 64 M weighted edges.\n"
    )
    head = ("operation", "graph", "threads", "s", "CPU s", "beside it, s")
    head = (*head, "MB/s", "MB per CPU second", "peak memory")
    table(head, constructions(read("building.jsonl")))
    print("## What parents cost\n")
    print("Medians in ms by `parents.py`, and of the ratios; rows of CUDA are of one H200.\n")
    head = ("graph", "algorithm", "implementation", "threads", "sources", "with", "without")
    table((*head, "ratio"), costs_of_parents(read("parents.jsonl")))
    print("What the sources of the methods report, each on its own machine:\n")
    for algorithm, figure in FIGURES.items():
        print(f"- `{algorithm}`: {figure}.")


if __name__ == "__main__":
    main()
