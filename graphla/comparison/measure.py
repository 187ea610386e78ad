"""Measure one call (wall-clock time, peak memory) and describe the machine and the software."""

from __future__ import annotations

import ctypes
import gc
import hashlib
import importlib.metadata
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphla.core.engines import available, host_array
from graphla.core.properties import derive, narrow

if TYPE_CHECKING:
    from graphla.core.graph import Graph

PACKAGES = (
    "numpy", "scipy", "numba", "python-graphblas", "suitesparse-graphblas", "graphla",
    "cupy-cuda12x", "cupy-cuda13x",
)  # fmt: skip
ROOT = Path(__file__).parents[2]
PAUSE = 0.02  # seconds, enough for the threads of another runtime to stop spinning
WARM = 0.1  # seconds of untimed calls that bring a device and the host's caches back to speed


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return (seconds, result) of one call."""
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def quietly_timed(
    call: Callable[[], Any], *, pause: bool = True, rehearsal: Callable[[], Any] | None = None
) -> tuple[float, Any]:
    """Return (seconds, result) of one call, after a garbage collection and a pause.

    Garbage collection is off during the call. `rehearsal` is called untimed for WARM seconds
    right before it: a device lowers its clock rate in the pause, which does not happen in a
    program that calls continuously.
    """
    gc.collect()
    if pause:
        time.sleep(PAUSE)
    enabled = gc.isenabled()
    gc.disable()
    try:
        if rehearsal:
            end = time.perf_counter() + WARM
            rehearsal()
            while time.perf_counter() < end:
                rehearsal()
        return timed(call)
    finally:
        if enabled:
            gc.enable()


def release_freed_memory() -> None:
    """Return freed memory to the system; reference cycles keep matrices until a collection."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim:
        trim(0)


def peak_above(call: Callable[[], Any], engine: str = "cpu") -> tuple[int | None, Any]:
    """Return (bytes, result) of one call: its peak memory above the memory in use before it.

    On engine "cuda" this is the growth of the device memory pool, whose free blocks are released
    first; on the CPU it is resident memory of the process, None on systems other than Linux.
    """
    release_freed_memory()
    if engine == "cuda":
        from graphla.cuda.runtime.device import device

        before = device.pool_bytes(release=True)
        result = call()
        return device.pool_bytes() - before, result
    try:
        Path("/proc/self/clear_refs").write_text("5")  # resets the high-water mark
        before = _status("VmRSS")
    except OSError:
        return None, call()
    result = call()
    return max(0, _status("VmHWM") - before), result


def _status(field: str) -> int:
    """Return a memory field of /proc/self/status in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise OSError(f"/proc/self/status has no {field}")


def synchronise(engine: str) -> None:
    """Wait until the device is idle, on engine "cuda"; calls on the CPU are synchronous."""
    if engine == "cuda":
        from graphla.cuda.runtime.device import device

        device.synchronise()


def threads() -> int:
    """Return the number of threads that :func:`graphla.set_threads` has set."""
    import graphblas as gb

    return int(gb.ss.config["nthreads"])


def fingerprint(G: Graph) -> str:
    """Return a short hash of the graph's CSR arrays, the same on all engines; it is cached."""
    return derive(G, _hash_of_rows)


def _hash_of_rows(G: Graph) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for array in G.csr if G.engine == "cpu" else narrow(G.A, *map(host_array, G.A.to_csr())):
        if array is not None:
            digest.update(array.data)
    return digest.hexdigest()


def machine() -> dict[str, Any]:
    """Describe the machine."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        cpu = models[0].split(":", 1)[1].strip() if models else cpu
    affinity = getattr(os, "sched_getaffinity", None)
    return {
        "cpu": cpu,
        "cores": len(affinity(0)) if affinity else os.cpu_count(),
        "threads": threads(),
        "openmp": {k: v for k, v in sorted(os.environ.items()) if k.startswith(("OMP_", "GOMP_"))},
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        **_gpu(),
    }


def _gpu() -> dict[str, str | None]:
    """Describe the device; None values if engine "cuda" cannot run."""
    if not available("cuda"):
        return {"gpu": None, "driver": None}
    from graphla.cuda.runtime.device import device

    description: dict[str, str | None] = device.about()
    return description


def versions(libraries: Iterable[str] = ()) -> dict[str, str]:
    """Return the versions of Python, the packages that timings depend on, and `libraries`."""
    installed = {"python": platform.python_version()}
    for name in dict.fromkeys((*PACKAGES, *libraries)):
        try:
            installed[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return installed


def commit() -> str | None:
    """Return the git commit, with "+" if files are modified or new; None outside a checkout."""
    if not (ROOT / ".git").exists():
        return None

    def git(*args: str) -> str:
        run = ["git", *args]
        return subprocess.run(run, capture_output=True, text=True, cwd=ROOT).stdout.strip()

    changed = git("status", "--porcelain", "--", ":!benchmarks/results")
    return git("rev-parse", "--short=12", "HEAD") + ("+" if changed else "")


def now() -> str:
    """Return the date and time in UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def median(trials: list[float]) -> float | None:
    """Return the median of the trials, None if there are none."""
    return round(statistics.median(trials), 7) if trials else None
