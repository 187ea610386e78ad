"""Detect whether other processes disturb a measurement: load average and CPU time they use.

The CPU time of other processes is the busy time of this process's cores (from ``/proc/stat`` on
Linux) minus the CPU time of this process and of the children that it has waited for. Every
benchmark measures inside :func:`guarded`, which adds these fields to its rows:

- `load`: one-minute load average when the trials began; it includes threads of this process.
- `foreign_cpu_s`: CPU seconds of other processes from the first trial to the last.
- `foreign_cpu_share`: `foreign_cpu_s` / (elapsed seconds x number of cores).
- `quiet`: whether the machine became quiet before the trials; None if there was no wait.
- `waited_s`: the seconds spent waiting for that.

A field is None if the platform does not report it. CPU times need at least LOOK seconds: after
shorter trials the measurement goes on until then, if there was a wait before them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

MAX_WAIT = 10.0  # default of the longest wait for a quiet machine, in seconds
QUIET = 0.05  # largest share of the cores' time that other processes use on a quiet machine
BUSY = 0.25  # share from which times of several threads say nothing
SHOWN = 3  # cases that a line names; of more it says how many
LOOK = 0.25  # seconds over which that share is measured; the kernel counts in steps of 0.01 s
STAT = Path("/proc/stat")
FIELDS = ("load", "foreign_cpu_s", "foreign_cpu_share", "quiet", "waited_s")


class Reading(NamedTuple):
    """CPU times at one moment, in seconds; `busy` is None if the platform does not report it."""

    clock: float
    busy: float | None  # of all processes, on the cores of this one
    own: float  # of this process, and of the children that it has waited for
    cores: int


def read_cpu_times() -> Reading:
    """Return the current CPU times."""
    times = os.times()
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    own = times.user + times.system + times.children_user + times.children_system
    return Reading(time.perf_counter(), busy_seconds(cores), own, len(cores))


def busy_seconds(cores: Iterable[int]) -> float | None:
    """Return the busy seconds of some cores, with the time stolen by other virtual machines."""
    names = {f"cpu{core}" for core in cores}
    ticks = []
    try:
        for line in STAT.read_text().splitlines():
            name, *fields = line.split()
            if name in names:
                user, nice, system, _idle, _iowait, irq, softirq, steal = map(int, fields[:8])
                ticks.append(user + nice + system + irq + softirq + steal)
    except (OSError, ValueError):
        return None
    valid = len(ticks) == len(names) and any(ticks)  # some sandboxes report zeros
    return sum(ticks) / os.sysconf("SC_CLK_TCK") if valid else None


def foreign_cpu_time(before: Reading, after: Reading) -> tuple[float | None, float | None]:
    """Return the CPU seconds of other processes between two readings, and their share.

    Examples
    --------
    >>> foreign_cpu_time(Reading(0, 10, 1, 2), Reading(4, 17, 6, 2))
    (2, 0.25)
    """
    elapsed = after.clock - before.clock
    if before.busy is None or after.busy is None or before.cores != after.cores or elapsed < LOOK:
        return None, None
    seconds = max(0, after.busy - before.busy - (after.own - before.own))
    return seconds, min(1, seconds / (elapsed * after.cores))


def load_average() -> float | None:
    """Return the one-minute load average, None if the platform has none."""
    try:
        return round(os.getloadavg()[0], 2)
    except (AttributeError, OSError):
        return None


def wait_for_quiet(max_wait: float) -> tuple[bool | None, float]:
    """Wait until other processes use at most QUIET of the cores' time for LOOK seconds.

    Parameters
    ----------
    max_wait : float
        Seconds after which no further measurement starts.

    Returns
    -------
    quiet : bool or None
        Whether that happened; None if `max_wait` is 0 or the platform reports no CPU times.
    waited : float
        Seconds spent.
    """
    begin = before = read_cpu_times()
    if max_wait == 0 or before.busy is None:
        return None, 0.0
    while before.clock - begin.clock < max_wait:
        time.sleep(LOOK)
        after = read_cpu_times()
        _, share = foreign_cpu_time(before, after)
        if share is None or share <= QUIET:
            return (None if share is None else True), after.clock - begin.clock
        before = after
    return False, before.clock - begin.clock


@contextmanager
def guarded(max_wait: float = MAX_WAIT) -> Iterator[dict[str, Any]]:
    """Wait for a quiet machine, then measure other processes; yield the fields of a row.

    `load`, `quiet` and `waited_s` are set before the block, the `foreign_cpu` fields after it.
    """
    quiet, waited = wait_for_quiet(max_wait)
    conditions: dict[str, Any] = dict.fromkeys(FIELDS)
    conditions |= {"load": load_average(), "quiet": quiet, "waited_s": round(waited, 2)}
    before = read_cpu_times()
    yield conditions
    missing = LOOK - (read_cpu_times().clock - before.clock)
    if quiet is not None and missing > 0:
        time.sleep(missing)
    seconds, share = foreign_cpu_time(before, read_cpu_times())
    conditions["foreign_cpu_s"] = None if seconds is None else round(seconds, 2)
    conditions["foreign_cpu_share"] = None if share is None else round(share, 4)


def without_cpu_time(conditions: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Return the fields of a row without CPU time that is no disturbance, such as that of ranks.

    Examples
    --------
    >>> without_cpu_time({"foreign_cpu_s": 4.0, "foreign_cpu_share": 0.2}, 3)
    {'foreign_cpu_s': 1.0, 'foreign_cpu_share': 0.05}
    """
    foreign, share = conditions["foreign_cpu_s"], conditions["foreign_cpu_share"]
    if not foreign or not seconds:
        return conditions
    left = max(foreign - seconds, 0.0)
    share = None if share is None else round(share * left / foreign, 4)
    return conditions | {"foreign_cpu_s": round(left, 2), "foreign_cpu_share": share}


def describe(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return lines about the machine's load during the runs of these rows."""
    runs: dict[tuple[Any, ...], dict[str, None]] = {}
    for row in rows:
        if "foreign_cpu_share" in row:
            run = row.get("comparison"), *(row[field] for field in FIELDS)
            runs.setdefault(run, {})[f"{row['algorithm']} on {row['graph']}"] = None
    if not runs:
        return []
    loads, seconds, shares = ([run[k] for run in runs if run[k] is not None] for k in (1, 2, 3))
    others = f"{_range(shares, '.0%')} ({sum(seconds):.2f} s)" if shares else "unknown"
    lines = [f"Load {_range(loads, '.2f')} before the trials; CPU time of other processes {others}"]
    busy: list[str] = []
    disturbed: list[str] = []
    never_quiet: list[str] = []
    for (_, _, _, share, quiet, waited), names in runs.items():
        if share is not None and share > QUIET:
            (busy if share > BUSY else disturbed).append(f"{', '.join(names)} ({share:.0%})")
        if quiet is False:
            never_quiet.append(f"{', '.join(names)} ({waited:.1f} s)")
    if busy:
        lines.append(
            f"Busy machine: other processes took more than {BUSY:.0%} of the cores' time during "
            + _first(busy)
            + "; times can be many times too long: measure again when nothing else runs"
        )
    if disturbed:
        lines.append(
            f"Other processes took {QUIET:.0%} to {BUSY:.0%} of the cores' time during "
            + _first(disturbed)
            + "; times can be somewhat too long"
        )
    if never_quiet:
        lines.append(f"The machine was not quiet before {_first(never_quiet)}")
    return lines


def _first(cases: list[str]) -> str:
    """Return the first cases as text, and how many more there are."""
    more = f" and {len(cases) - SHOWN} more" if len(cases) > SHOWN else ""
    return ", ".join(cases[:SHOWN]) + more


def _range(values: list[float], format_spec: str) -> str:
    if not values:
        return "unknown"
    low, high = format(min(values), format_spec), format(max(values), format_spec)
    return low if low == high else f"{low} to {high}"
