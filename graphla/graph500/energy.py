"""Measure energy by hardware counters: NVML for a device, RAPL for CPU packages.

A counter is read before and after; nothing is estimated. If no counter can be read,
:class:`~graphla.errors.NoCounter` gives the reason.

Source: NVML API reference, nvmlDeviceGetTotalEnergyConsumption; Linux kernel
documentation, "Power Capping Framework".
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from graphla.errors import NoCounter

POWERCAP = Path("/sys/class/powercap")
NVML = "libnvidia-ml.so.1"
IDLE = 2.0  # seconds over which the idle power is measured
READ_INTERVAL = 60.0  # seconds between two readings, so that a counter wraps around at most once


class Counter(NamedTuple):
    """One or several energy meters of the same unit; meter k wraps around at `ranges[k]`."""

    name: str
    joules_per_unit: float
    ranges: tuple[int, ...]
    read: Callable[[], tuple[int, ...]]

    def joules(self, before: tuple[int, ...], after: tuple[int, ...]) -> float:
        """Return the energy between two readings.

        Examples
        --------
        >>> Counter("two of 1 mJ", 1e-3, (100, 1000), tuple).joules((90, 10), (10, 30))
        0.04
        """
        readings = zip(before, after, self.ranges, strict=True)
        return sum((b - a) % size for a, b, size in readings) * self.joules_per_unit


class Energy(NamedTuple):
    """Energy and mean power of repeated work, and the idle power before it."""

    counter: str
    joules: float
    seconds: float
    repeats: int
    watts: float
    idle_watts: float


def open_counter(engine: str) -> Counter:
    """Return the energy counter of an engine's hardware.

    Parameters
    ----------
    engine : {"cpu", "cuda"}
        "cuda": the current device without the host. "cpu": the CPU packages of the machine with
        all their processes, without memory that has its own meter.

    Raises
    ------
    NoCounter
        There is no counter, or it cannot be read.
    """
    return _nvml() if engine == "cuda" else _rapl()


def measure_energy(counter: Counter, work: Callable[[], Any], seconds: float = 10.0) -> Energy:
    """Measure the idle power, then repeat `work` for at least `seconds` and measure its energy.

    Parameters
    ----------
    counter : Counter
    work : callable
        Returns when all its work is complete, in less time than the counter takes to wrap around
        (RAPL: about 17 minutes at 250 W).
    seconds : float
        GreenGraph500 requires at least 10.
    """
    before, start = counter.read(), time.perf_counter()
    time.sleep(IDLE)
    idle_joules = counter.joules(before, counter.read())
    idle_watts = idle_joules / (time.perf_counter() - start)

    repeats, joules, elapsed = 0, 0.0, 0.0
    reading, start = counter.read(), time.perf_counter()
    last_reading_time = start
    while not repeats or elapsed < seconds:
        work()
        repeats, now = repeats + 1, time.perf_counter()
        elapsed = now - start
        if elapsed >= seconds or now - last_reading_time >= READ_INTERVAL:
            before, reading, last_reading_time = reading, counter.read(), now
            joules += counter.joules(before, reading)
    return Energy(counter.name, joules, elapsed, repeats, joules / elapsed, idle_watts)


def _rapl() -> Counter:
    """Return the meters of all CPU packages: the top-level zones except the platform's."""
    zones = [
        zone
        for zone in sorted(POWERCAP.glob("*-rapl:*"))
        if zone.name.count(":") == 1 and _zone_name(zone).startswith("package")
    ]
    if not zones:
        raise NoCounter(f"no energy counter of the CPU: {POWERCAP} has no RAPL zone")

    def read() -> tuple[int, ...]:
        return tuple(int((zone / "energy_uj").read_text()) for zone in zones)

    try:
        read()
        ranges = tuple(int((zone / "max_energy_range_uj").read_text()) + 1 for zone in zones)
    except (OSError, ValueError) as error:
        raise NoCounter(f"the energy counter of the CPU cannot be read: {error}") from None
    return Counter(f"RAPL, {len(zones)} zones", 1e-6, ranges, read)


def _zone_name(zone: Path) -> str:
    """Return the name of a zone; "psys", the whole platform, includes the packages again."""
    try:
        return (zone / "name").read_text()
    except OSError:
        return "package"


def _nvml() -> Counter:
    """Return the meter of the current device."""
    try:
        library = ctypes.CDLL(NVML)
    except OSError as error:
        raise NoCounter(f"no energy counter of the device: {error}") from None
    from graphla.cuda.runtime.device import device

    handle, millijoules = ctypes.c_void_p(), ctypes.c_ulonglong()

    def call(function: str, *arguments: Any) -> None:
        try:
            status = getattr(library, function)(*arguments)
        except AttributeError:
            raise NoCounter(f"the energy counter of the device: {NVML} has no {function}") from None
        if status:
            raise NoCounter(f"the energy counter of the device: {function} returned {status}")

    def read() -> tuple[int, ...]:
        call("nvmlDeviceGetTotalEnergyConsumption", handle, ctypes.byref(millijoules))
        return (millijoules.value,)

    call("nvmlInit_v2")
    bus = device.pci_bus_id.encode()
    call("nvmlDeviceGetHandleByPciBusId_v2", bus, ctypes.byref(handle))
    read()
    return Counter("NVML", 1e-3, (1 << 64,), read)
