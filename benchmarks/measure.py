"""How one call is measured: wall clock, memory above the graph, and the row that is kept."""

from __future__ import annotations

import ctypes
import gc
import hashlib
import importlib.metadata
import json
import os
import platform
import statistics
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path

PACKAGES = (
    "numpy", "scipy", "numba", "python-graphblas", "suitesparse-graphblas", "graphla",
)  # fmt: skip


def timed(call):
    """Return (seconds, result) of one call."""
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def settle():
    """Return freed memory to the system: what a matrix holds goes only with a collection."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)


def peak_above(call):
    """Return the peak resident bytes of one call, above what was resident before it."""
    settle()
    Path("/proc/self/clear_refs").write_text("5")  # resets the high-water mark
    before = _status("VmRSS")
    call()
    return max(0, _status("VmHWM") - before)


def _status(field):
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise KeyError(field)


def fingerprint(G):
    """Return a short hash of the graph's compressed rows."""
    digest = hashlib.blake2b(digest_size=8)
    for array in G.csr:
        if array is not None:
            digest.update(array.tobytes())
    return digest.hexdigest()


def machine(threads):
    """Describe where a row was measured."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [x for x in info.read_text().splitlines() if x.startswith("model name")]
        cpu = names[0].split(":", 1)[1].strip() if names else cpu
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cpu": cpu,
        "cores": len(os.sched_getaffinity(0)),
        "threads": threads,
        "memory_bytes": memory,
        "gpu": None,
        "driver": None,
    }


def versions():
    """Return the version of every package that a time depends on."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def commit():
    """Return the commit measured, with "+" where the tree has changes outside the results."""

    def git(*args):
        return subprocess.run(
            ["git", *args], capture_output=True, text=True, cwd=Path(__file__).parent, check=False
        ).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", ":!results")
    return git("rev-parse", "--short=12", "HEAD") + ("+" if changed else "")


def row(*, trials, **fields):
    """Return a result row: the fields given, the trials, their median, date and commit."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit(),
        **fields,
        "trials_s": [round(t, 7) for t in trials],
        "median_s": round(statistics.median(trials), 7),
    }


def ratio(ours, theirs):
    """Return the median of the paired ratios and their quartiles."""
    pairs = sorted(a / b for a, b in zip(ours, theirs, strict=True))
    low, mid, high = statistics.quantiles(pairs, n=4, method="inclusive")
    return {"median": round(mid, 3), "quartiles": [round(low, 3), round(high, 3)]}


def append(path, rows):
    """Append rows to a JSON-lines file; what is there is never touched."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as out:
        for each in rows:
            out.write(json.dumps(each) + "\n")
