"""BFS on a graph that is only partly in device memory; rows in the format of run.py.

    python benchmarks/beyond_memory.py --scale 24 --threads 16

The other neighbours are in page-locked host memory. `share` is the part of the neighbours that is
on the device. `gteps` is the harmonic mean over the sources of: input edges of the largest
component over the time of a search. A row is verified if all levels equal those of the search
with the whole graph on the device, and two of the trees pass gl.verify.
"""

from __future__ import annotations

import argparse
import gc
import statistics
from copy import copy
from functools import partial
from pathlib import Path

import numpy as np
from racing import add_max_wait, times
from run import names

import graphla as gl
from graphla import native
from graphla.comparison import measure
from graphla.comparison.quiet import describe, guarded
from graphla.comparison.result import Comparison
from graphla.core.engines import host_array
from graphla.native.cuda.papers.beyond_memory import ITEM, bfs_beyond_memory

HERE = Path(__file__).parent
SHARES = "1,0.7,0.5,0.3,0.1,0"


def seconds_of(search, sources):
    """Return the time of one search from each source; each follows one from the source before."""
    taken = []
    for before, source in zip((sources[-1], *sources), sources, strict=False):
        call, rehearsal = (partial(synchronised, search, s) for s in (source, before))
        taken.append(measure.quietly_timed(call, rehearsal=rehearsal)[0])
    return taken


def synchronised(search, source):
    """Search and wait until the device is idle."""
    result = search(source)
    measure.synchronise("cuda")
    return result


def checked(G, search, sources, expected):
    """Return whether all levels are correct; verify the trees of the first and last source."""
    for source in (sources[0], sources[-1]):
        gl.verify.bfs(G, source, *search(source))
    return all(
        bool(search(source).level.isequal(level))
        for source, level in zip(sources, expected, strict=True)
    )


def measured(G, share, sources, expected, edges, max_wait, about):
    """Return the row of one share."""
    H = copy(G)  # its cache, with the memory of this share, is freed at the end
    max_bytes = round(share * ITEM * int(G.A.nvals))
    search = partial(bfs_beyond_memory, H, max_bytes=max_bytes)
    prepare_s, _ = measure.timed(lambda: synchronised(search, sources[0]))
    with guarded(max_wait) as conditions:
        seconds = seconds_of(search, sources)
    correct = checked(G, search, sources, expected)
    return about | conditions | {
        "date": measure.now(), "algorithm": "bfs_beyond_memory",
        "implementation": "native-cuda", "family": "native", "engine": "cuda", "share": share,
        "graph": f"{about['graph']}, {share:.0%} of the neighbours on the device",
        "prepare_s": round(prepare_s, 6), "trials_s": [round(t, 9) for t in seconds],
        "median_s": measure.median(seconds), "gteps": edges / statistics.mean(seconds) / 1e9,
        "verified": correct, "error": None,
    }  # fmt: skip


def main():
    """Measure and append the rows."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=int, default=24)
    parser.add_argument("--shares", type=names, default=names(SHARES), help="a,b,c")
    parser.add_argument("--sources", type=int, default=16)
    add_max_wait(parser)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "beyond_memory.jsonl")
    options = parser.parse_args()
    gl.set_threads(options.threads)
    drawn = gl.graph500.kronecker(options.scale, engine="cuda")
    G = drawn.graph()
    hub = int(drawn.ends.argmax())
    largest = native.bfs(G, hub).level.to_coo()[0]
    edges = drawn.edges_within(largest)
    largest = host_array(largest)
    sources = np.random.default_rng(7).choice(largest, options.sources, replace=False).tolist()
    expected = [native.bfs(G, source).level for source in sources]
    about = {"commit": measure.commit(), "machine": measure.machine(), "n": G.n}
    about |= {"versions": measure.versions(), "nvals": int(G.A.nvals), "sources": sources}
    about["graph"] = f"graph500-{options.scale}"
    for share in map(float, options.shares):
        try:
            row = measured(G, share, sources, expected, edges, options.max_wait, about)
        except Exception as error:
            print(f"share {share}: {type(error).__name__}: {error}", flush=True)
            continue
        Comparison([row]).to_jsonl(options.out)
        line = f"{share:5.0%} {times(row)} {row['gteps']:8.1f} GTEPS"
        print(*describe([row]), sep="\n")
        print(line, f"{row['prepare_s']:6.2f} s", row["verified"], flush=True)
        gc.collect()


if __name__ == "__main__":
    main()
