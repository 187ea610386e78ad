"""How one call is measured: wall clock, memory above the graph, and where it ran."""

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
PAUSE = 0.02  # seconds in which threads of another runtime stop spinning
WARM = 0.1  # seconds of calls in which a device, and the host's caches, recover from a pause


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return (seconds, result) of one call."""
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def quietly_timed(
    call: Callable[[], Any], *, pause: bool = True, rehearsal: Callable[[], Any] | None = None
) -> tuple[float, Any]:
    """Return (seconds, result) of one call after a collection and a pause, without another.

    `rehearsal` is called right before it, untimed, for WARM seconds: a device has lowered its
    clock in the pause, which a program that goes on calling does not see.
    """
    gc.collect()
    if pause:
        time.sleep(PAUSE)
    enabled = gc.isenabled()
    gc.disable()
    try:
        if rehearsal:
            until = time.perf_counter() + WARM
            rehearsal()
            while time.perf_counter() < until:
                rehearsal()
        return timed(call)
    finally:
        if enabled:
            gc.enable()


def release_freed_memory() -> None:
    """Return freed memory to the system: what a matrix holds goes only with a collection."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim:
        trim(0)


def memory_of(engine: str) -> str:
    """Return whose memory the peak of an engine is."""
    return "device" if engine == "cuda" else "host"


def peak_above(call: Callable[[], Any], engine: str = "cpu") -> tuple[int | None, Any]:
    """Return the peak resident bytes of one call above those before it, and its result.

    On engine "cuda" they are what the pool of device memory grows by, from all that is free
    given back; on the CPU those of the process, None where the system does not tell: Linux does.
    """
    release_freed_memory()
    if engine == "cuda":
        from graphla.cuda.runtime.device import device

        before = device.held(release=True)
        result = call()
        return device.held() - before, result
    try:
        Path("/proc/self/clear_refs").write_text("5")  # resets the high-water mark
        before = _status("VmRSS")
    except OSError:
        return None, call()
    result = call()
    return max(0, _status("VmHWM") - before), result


def _status(field: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise OSError(f"/proc/self/status has no {field}")


def synchronise(engine: str) -> None:
    """Wait until a device has done what it was asked for; the CPU has when a call returns."""
    if engine == "cuda":
        from graphla.cuda.runtime.device import device

        device.synchronise()


def threads() -> int:
    """Return the number of threads that :func:`graphla.set_threads` has set."""
    import graphblas as gb

    return int(gb.ss.config["nthreads"])


def fingerprint(G: Graph) -> str:
    """Return a short hash of the graph's compressed rows, the same on all engines; kept with it."""
    return derive(G, _hash_of_rows)


def _hash_of_rows(G: Graph) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for array in G.csr if G.engine == "cpu" else narrow(G.A, *map(host_array, G.A.to_csr())):
        if array is not None:
            digest.update(array.data)
    return digest.hexdigest()


def machine() -> dict[str, Any]:
    """Describe where a row was measured."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [x for x in info.read_text().splitlines() if x.startswith("model name")]
        cpu = names[0].split(":", 1)[1].strip() if names else cpu
    allowed = getattr(os, "sched_getaffinity", None)
    return {
        "cpu": cpu,
        "cores": len(allowed(0)) if allowed else os.cpu_count(),
        "threads": threads(),
        "openmp": {k: v for k, v in sorted(os.environ.items()) if k.startswith(("OMP_", "GOMP_"))},
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        **_gpu(),
    }


def _gpu() -> dict[str, str | None]:
    """Describe the device, where engine "cuda" can run."""
    if not available("cuda"):
        return {"gpu": None, "driver": None}
    from graphla.cuda.runtime.device import device

    found: dict[str, str | None] = device.about()
    return found


def versions(libraries: Iterable[str] = ()) -> dict[str, str]:
    """Return the version of every package that a time depends on."""
    found = {"python": platform.python_version()}
    for name in dict.fromkeys((*PACKAGES, *libraries)):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def commit() -> str | None:
    """Return the commit measured, "+" where the tree has changes; None outside a checkout."""
    if not (ROOT / ".git").exists():
        return None

    def git(*args: str) -> str:
        run = ["git", *args]
        return subprocess.run(run, capture_output=True, text=True, cwd=ROOT).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", ":!benchmarks/results")
    return git("rev-parse", "--short=12", "HEAD") + ("+" if changed else "")


def now() -> str:
    """Return the time of day, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def median(trials: list[float]) -> float | None:
    """Return the median of trials; None without any."""
    return round(statistics.median(trials), 7) if trials else None
