"""NetworkX's functions through the backend against plain NetworkX; rows in results/networkx.jsonl.

The graphs are undirected Kronecker graphs with weights 1..255. Before the trials of a function the
script waits for a quiet machine. Calls of the backend, with a cached conversion, alternate with
calls of NetworkX, `--trials` times; the first call, with the conversion, is a column of its own
("cold"). For results on all pairs of nodes another column has the computation only: the same
numbers as arrays, before they become dictionaries or graphs. Ratios are of medians.

    python benchmarks/networkx_backend.py calls --scales 16,10,12
    python benchmarks/networkx_backend.py calls --scales 16 --kernels native betweenness_centrality
    python benchmarks/networkx_backend.py kernels --scales 16,10     # for kernels="auto"
    python benchmarks/networkx_backend.py kernels core_number --scales 16
    python benchmarks/networkx_backend.py pairs                # paths between pairs
    python benchmarks/networkx_backend.py conversion imports functions
    python benchmarks/networkx_backend.py table          # the last rows, for the docs
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import networkx as nx
from racing import add_max_wait

import graphla as gl
from graphla.comparison import measure
from graphla.comparison.pairs import NOISY, faster, ratio_of
from graphla.comparison.quiet import describe, guarded
from graphla.interop.networkx.convert import from_networkx
from graphla.interop.networkx.info import FUNCTIONS
from graphla.interop.networkx.paths import batched

HERE = Path(__file__).parent
ROWS = HERE / "results" / "networkx.jsonl"
DOCS = HERE.parent / "docs" / "networkx.md"
WHAT = ("calls", "conversion", "imports", "functions", "pairs", "kernels", "table")
QUADRATIC = 12  # largest scale of functions on all pairs of nodes
PAIRS, BLOCK = 1000, 50  # pairs of nodes, and those that one trial searches
ONCE = 2.0  # seconds above which NetworkX gets one trial

# name -> arguments
LINEAR: dict[str, dict[str, Any]] = {
    "single_source_shortest_path_length": {"source": 0},
    "single_source_shortest_path": {"source": 0},
    "bfs_edges": {"source": 0},
    "bfs_predecessors": {"source": 0},
    "descendants": {"source": 0},
    "single_source_dijkstra_path_length": {"source": 0},
    "connected_components": {},
    "number_connected_components": {},
    "degree_centrality": {},
    "core_number": {},
    "pagerank": {},
    "minimum_spanning_edges": {"data": False},
    "triangles": {},
    "clustering": {},
    "transitivity": {},
    "eigenvector_centrality": {},
    "hits": {},
    "betweenness_centrality": {"k": 16, "seed": 1},
}
SMALL: dict[str, dict[str, Any]] = {
    "all_pairs_shortest_path_length": {},
    "closeness_centrality": {},
    "harmonic_centrality": {},
    "betweenness_centrality": {},
    "all_pairs_dijkstra_path_length": {},
    "global_efficiency": {},
    "transitive_closure": {},
    "floyd_warshall_numpy": {},
}
TOO_SLOW = {("floyd_warshall_numpy", 12), ("transitive_closure", 12)}  # NetworkX takes minutes
BY_ALGORITHM: dict[str, tuple[str, dict[str, Any]]] = {
    "bfs_levels": ("descendants_at_distance", {"source": 0, "distance": 1}),
    "sssp_distances": ("dijkstra_path_length", {"source": 0, "target": 1}),
    "minimum_spanning_forest": ("minimum_spanning_edges", {"data": False}),
    "connected_components": ("number_connected_components", {}),
    "pagerank": ("pagerank", {"weight": None}),
    "betweenness_centrality": ("betweenness_centrality", {"k": 16, "seed": 1}),
    "transitive_closure": ("transitive_closure", {}),
    "label_propagation": ("label_propagation_communities", {}),
    "core_number": ("core_number", {}),
    "k_truss": ("k_truss", {"k": 5}),
    "triangles": ("triangles", {}),
    "clustering_coefficient": ("clustering", {}),
}
COMPUTATION: dict[str, Callable[[Any], Any]] = {
    "all_pairs_shortest_path_length": lambda L: batched.levels_from_all(L),
    "all_pairs_dijkstra_path_length": lambda L: batched.lengths_from_all(L, "weight"),
    "transitive_closure": lambda L: gl.transitive_closure(L.graph()),
}


def kronecker(scale: int) -> nx.Graph:
    """Return a Kronecker graph without self-loops, its nodes in order."""
    G = gl.generate.kronecker(scale, seed=1, weights=(1, 255))
    i, j, w = G.A.to_coo()
    once = i < j
    H = nx.Graph()
    H.add_nodes_from(range(G.n))
    H.add_weighted_edges_from(zip(*(x[once].tolist() for x in (i, j, w)), strict=True))
    return H


def seconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    result = call()
    if hasattr(result, "__next__"):
        deque(result, maxlen=0)
    return round(time.perf_counter() - start, 7)


def keep(row: dict[str, Any], line: str) -> None:
    """Append a row with date, commit, machine and versions, and print a line."""
    stamp = {
        "date": measure.now(), "commit": measure.commit(), "machine": measure.machine(),
        "versions": measure.versions(["networkx"]),
    }  # fmt: skip
    with ROWS.open("a") as file:
        file.write(json.dumps(stamp | row) + "\n")
    print(line, flush=True)
    if "load" in row:
        about = {
            "algorithm": row.get("function", row["kind"]),
            "graph": row.get("graph", "networkx"),
        }
        print(*(f"    {line}" for line in describe([about | row])), sep="\n", flush=True)


def calls(options: Any) -> None:
    """Time functions of the backend against those of NetworkX."""
    for scale in options.scales:
        G = kronecker(scale)
        print(f"kron{scale}: {len(G):,} nodes, {G.number_of_edges():,} edges; seconds")
        print(f"{'':36}{'networkx':>11}{'cached':>11}{'ratio':>8}{'cold':>9}{'computed':>11}")
        for name, arguments in (SMALL if scale <= QUADRATIC else LINEAR).items():
            if (options.names and name not in options.names) or (name, scale) in TOO_SLOW:
                continue
            compare(G, f"kron{scale}", name, arguments, options)


def compare(G: Any, graph: str, name: str, arguments: dict[str, Any], options: Any) -> None:
    """Time one function; calls of the backend and of NetworkX alternate."""
    function = getattr(nx, name, None) or getattr(nx.community, name)
    G.__networkx_cache__.clear()
    cold = seconds(lambda: function(G, **arguments, backend="graphla"))
    ours, theirs, computed = [], [], []
    with guarded(options.max_wait) as conditions:
        for _ in range(options.trials):
            ours.append(seconds(lambda: function(G, **arguments, backend="graphla")))
            if not theirs or theirs[-1] < ONCE:
                theirs.append(seconds(lambda: function(G, **arguments, backend="networkx")))
        if name in COMPUTATION:
            L = from_networkx(G, edge_attrs={"weight": 1})
            call = partial(COMPUTATION[name], L)
            computed = [seconds(call) for _ in range(options.trials + 1)][1:]
    of_graphla, of_networkx = median(ours), median(theirs)
    row = conditions | {
        "kind": "call", "graph": graph, "n": len(G), "edges": G.number_of_edges(),
        "function": name, "arguments": arguments, "kernels": options.kernels,
        "networkx_s": theirs, "graphla_s": ours, "cold_s": cold, "computation_s": computed,
        "ratio": round(of_networkx / of_graphla, 1), "cold_ratio": round(of_networkx / cold, 1),
        "computation_ratio": round(of_networkx / median(computed), 1) if computed else None,
    }  # fmt: skip
    line = f"{name:36}{of_networkx:11.4f}{of_graphla:11.4f}"
    line += f"{row['ratio']:8.1f}{row['cold_ratio']:9.1f}"
    line += f"{row['computation_ratio']:11.1f}" if computed else " " * 11
    line += f"  least {min(theirs):.4f}, {min(ours):.4f}"
    ratio = ratio_of(conditions | {"trials_s": theirs}, {"trials_s": ours})
    keep(row, line + (f"  {NOISY}" if ratio and ratio.noisy else ""))


def pairs(options: Any) -> None:
    """Time shortest paths between pairs of nodes, with and without the backend's priority.

    The graph is random with 100,000 nodes of mean degree 8. Blocks of 50 pairs alternate, and the
    same pairs are searched with and without, so that both sides meet the same load.
    """
    G = nx.gnm_random_graph(100_000, 400_000, seed=1)
    with nx.config.backend_priority(algos=["graphla"]):
        nx.shortest_path(nx.path_graph(3), 0, 2)  # imports the backend
    rng = random.Random(2)
    drawn = [(rng.randrange(len(G)), rng.randrange(len(G))) for _ in range(PAIRS)]
    for state in ("not converted", "converted"):
        if state == "converted":
            nx.number_connected_components(G, backend="graphla")
        taken: dict[str, list[float]] = {"networkx": [], "graphla": []}
        cpu: dict[str, list[float]] = {"networkx": [], "graphla": []}
        with guarded(options.max_wait) as conditions:
            for first in range(0, PAIRS, BLOCK):
                block = drawn[first : first + BLOCK]
                for side in (
                    ("networkx", "graphla") if first // BLOCK % 2 else ("graphla", "networkx")
                ):
                    with nx.config.backend_priority(algos=["graphla"] if side == "graphla" else []):
                        before = time.process_time()
                        taken[side].append(seconds(partial(search_pairs, G, block)))
                        cpu[side].append(round(time.process_time() - before, 6))
        of_networkx, of_graphla = sum(taken["networkx"]), sum(taken["graphla"])
        row = conditions | {
            "kind": "pairs", "graph": "gnm(100000, 400000)", "n": len(G),
            "edges": G.number_of_edges(), "function": "shortest_path", "pairs": PAIRS,
            "state": state, "networkx_s": taken["networkx"], "graphla_s": taken["graphla"],
            "networkx_cpu_s": cpu["networkx"], "graphla_cpu_s": cpu["graphla"],
            "slowdown": round(of_graphla / of_networkx, 3),
        }  # fmt: skip
        keep(row, f"{PAIRS} shortest_path, {state}: {of_networkx:.3f} s, "
             f"{of_graphla:.3f} s with the backend in the priority; of CPU time "
             f"{sum(cpu['networkx']):.3f} and {sum(cpu['graphla']):.3f} s")  # fmt: skip


def search_pairs(G: Any, pairs: list[tuple[int, int]]) -> None:
    for u, v in pairs:
        with suppress(nx.NetworkXNoPath):
            nx.shortest_path(G, u, v)


def kernels(options: Any) -> None:
    """Time the algebra against the native kernels: the source of `config.RATIOS`.

    The conversion is cached, and a first call, which compiles, is not timed.
    """
    for scale in options.scales:
        G = kronecker(scale)
        for algorithm, (name, arguments) in BY_ALGORITHM.items():
            if (scale > QUADRATIC) == (algorithm == "transitive_closure"):
                continue
            if options.names and name not in options.names:
                continue
            function = getattr(nx, name, None) or getattr(nx.community, name)
            call = partial(seconds, partial(function, G, **arguments, backend="graphla"))
            taken: dict[str, list[float]] = {"algebra": [], "native": []}
            with guarded(options.max_wait) as conditions:
                for trial in range(options.trials + 1):
                    for chosen in list(taken)[:: 1 if trial % 2 else -1]:
                        with nx.config.backends.graphla(kernels=chosen):
                            taken[chosen].append(call())
            times = {f"{chosen}_s": trials[1:] for chosen, trials in taken.items()}
            ratio = median(times["algebra_s"]) / median(times["native_s"])
            row = conditions | times | {
                "kind": "kernels", "graph": f"kron{scale}", "n": len(G),
                "edges": G.number_of_edges(), "engine": options.engine, "algorithm": algorithm,
                "function": name, "arguments": arguments, "first_native_s": taken["native"][0],
                "ratio": round(ratio, 2),
            }  # fmt: skip
            keep(row, f"{algorithm:26}{options.engine:6}algebra / native {ratio:6.2f}, "
                 f"first native call {taken['native'][0]:.2f} s")  # fmt: skip


def conversion(options: Any) -> None:
    """Time conversions of graphs to columns and to matrices, with and without weights."""
    for scale in options.scales:
        G = kronecker(scale)
        for attributes in ({}, {"weight": 1}):
            columns, matrices = [], []
            with guarded(options.max_wait) as conditions:
                for _ in range(options.trials):
                    columns.append(seconds(partial(from_networkx, G, edge_attrs=attributes)))
                    L = from_networkx(G, edge_attrs=attributes)
                    matrices.append(seconds(partial(L.graph, next(iter(attributes), None))))
            row = conditions | {
                "kind": "conversion", "graph": f"kron{scale}", "n": len(G),
                "edges": G.number_of_edges(), "weight": bool(attributes),
                "columns_s": columns, "matrix_s": matrices,
            }  # fmt: skip
            name = f"{row['graph']} {'with weights' if attributes else 'without weights'}"
            keep(row, f"{name}: columns {median(columns):.3f} s, matrix {median(matrices):.3f} s")


def imports(options: Any) -> None:
    """Time `import networkx` with and without the backend's entry points."""
    hidden = (
        "import importlib.metadata as m; f = m.entry_points; "
        "m.entry_points = lambda **k: f(**k) if 'backend' not in k.get('group', '') else (); "
    )
    clock = "import time; t = time.perf_counter(); import networkx; print(time.perf_counter() - t)"
    taken: dict[str, list[float]] = {"with": [], "without": []}
    with guarded(options.max_wait) as conditions:
        for _ in range(7 * options.trials):
            for kind, before in (("with", ""), ("without", hidden)):
                process = subprocess.run(
                    [sys.executable, "-c", f"import importlib.metadata; {before}{clock}"],
                    capture_output=True, text=True, check=True,
                )  # fmt: skip
                taken[kind].append(round(float(process.stdout), 5))
    more = median(taken["with"]) - median(taken["without"])
    row = {"kind": "import", **{f"{k}_s": v for k, v in taken.items()}, "more_s": round(more, 5)}
    row |= conditions
    plain = median(taken["without"])
    keep(row, f"import networkx: {plain:.3f} s, {more * 1e3:.1f} ms more with it")


def functions(options: Any) -> None:
    """Count the functions that docs/networkx.md lists for this backend and for nx-cugraph."""
    text = DOCS.read_text()
    parts = re.split(r"\*\*(.+?)\*\* \((\d+)\)", text[text.index("**Both have**") :])
    count = {title: int(number) for title, number in zip(parts[1::3], parts[2::3], strict=True)}
    both, ours, theirs = count.values()
    lacking = re.findall(r"`(\w+)`", parts[-1].split("conversions")[0])
    row = {
        "kind": "functions", "graphla": len(FUNCTIONS), "nx-cugraph": both + theirs,
        "both": both, "only_graphla": ours, "only_nx-cugraph": theirs,
        "algorithms_lacking": lacking,
    }  # fmt: skip
    keep(row, f"{len(FUNCTIONS)} functions, {both} of nx-cugraph's {both + theirs}")


def kernel_lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of the documentation's table of native kernels, of the last rows."""
    yield "| | CPU: native is | H200: native is |"
    yield "|---|---|---|"
    last = {
        (row["algorithm"], row["engine"]): faster(1 / row["ratio"])
        for row in rows
        if row["kind"] == "kernels"
    }
    for algorithm in BY_ALGORITHM:
        cells = (last.get((algorithm, engine), "not there") for engine in ("cpu", "cuda"))
        yield f"| `{algorithm}` | {' | '.join(cells)} |"


def pair_lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of the table of searches between two nodes, of rows of a quiet machine."""
    yield "| | NetworkX alone | with graphla in the priority | longer per call |"
    yield "|---|---|---|---|"
    last = {row["state"]: row for row in rows if row["kind"] == "pairs" and row["quiet"]}
    for state, row in last.items():
        alone, both = sum(row["networkx_s"]), sum(row["graphla_s"])
        longer = f"{(both - alone) / row['pairs'] * 1e6:.0f} microseconds"
        cells = f"{alone:.3f} s", f"{both:.3f} s", f"{longer}, {both / alone:.2f} times slower"
        yield f"| {state} | {' | '.join(cells)} |"


def table(options: Any) -> None:
    """Print the last rows as lines of the documentation's tables."""
    rows = [json.loads(line) for line in ROWS.read_text().splitlines()]
    print(*kernel_lines(rows), "", *pair_lines(rows), "", sep="\n")
    last: dict[Any, dict] = {}
    for row in rows:
        if row["kind"] == "call":
            last[row["graph"], row["function"], row["kernels"]] = row
    for (graph, name, kernels), row in last.items():
        numbers = (row["ratio"], row["computation_ratio"], row["cold_ratio"])
        cells = [f"{x:.3g}" if x else "" for x in (median(row["networkx_s"]), *numbers)]
        shown = f"`{name}`" + (", native kernels" if kernels == "native" else "")
        print(f"| {graph} | {shown} | " + " | ".join(cells) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", nargs="+", help=f"{', '.join(WHAT)}; or names of functions")
    parser.add_argument("--scales", type=lambda x: [*map(int, x.split(","))], default=[16, 10, 12])
    parser.add_argument("--trials", type=int, default=3)
    add_max_wait(parser)
    parser.add_argument("--kernels", choices=("auto", "algebra", "native"), default="auto")
    parser.add_argument("--engine", choices=("cpu", "cuda"), default="cpu")
    options = parser.parse_intermixed_args()
    options.names = [name for name in options.what if name not in WHAT]
    nx.config.warnings_to_ignore.add("cache")
    nx.config.backends.graphla.kernels = options.kernels
    nx.config.backends.graphla.engine = options.engine
    for name in WHAT:
        if name in options.what:
            globals()[name](options)


if __name__ == "__main__":
    main()
