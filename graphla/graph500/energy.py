"""Energy by the machine's own counters: NVML's for a device, RAPL's for CPU packages.

A counter is read before and after; nothing is estimated. Where none can be read,
:class:`~graphla.errors.NoCounter` says why.

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
IDLE = 2.0  # seconds over which the machine is watched at rest
OFTEN = (
    60.0  # seconds after which a counter is read at the latest, that it may wrap around but once
)


class Counter(NamedTuple):
    """Readings of some energy meters, each of which wraps around at its own range."""

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
        passed = zip(before, after, self.ranges, strict=True)
        return sum((b - a) % size for a, b, size in passed) * self.joules_per_unit


class Energy(NamedTuple):
    """What work took between two readings of a counter, and what the machine takes at rest."""

    counter: str
    joules: float
    seconds: float
    repeats: int
    watts: float
    idle_watts: float


def counter(engine: str) -> Counter:
    """Return the counter of what an engine runs on.

    Parameters
    ----------
    engine : {"cpu", "cuda"}
        The current device, without the host; or the CPU packages of the machine, whoever
        uses them, without their memory where it has a meter of its own.

    Raises
    ------
    NoCounter
        There is none, or it may not be read.
    """
    return _nvml() if engine == "cuda" else _rapl()


def measure(meter: Counter, work: Callable[[], Any], seconds: float = 10.0) -> Energy:
    """Repeat `work` for at least some seconds between two readings, after a look at rest.

    Parameters
    ----------
    meter : Counter
    work : callable
        Returns once all that it started has been done, in less time than the meter takes to
        wrap around (RAPL's: some 17 minutes at 250 W).
    seconds : float
        GreenGraph500 wants 10 at least.
    """
    idle, rest = _between(meter, lambda: time.sleep(IDLE))
    repeats, joules, took = 0, 0.0, 0.0
    reading, start = meter.read(), time.perf_counter()
    read_at = start
    while not repeats or took < seconds:
        work()
        repeats, now = repeats + 1, time.perf_counter()
        took = now - start
        if took >= seconds or now - read_at >= OFTEN:
            before, reading, read_at = reading, meter.read(), now
            joules += meter.joules(before, reading)
    return Energy(meter.name, joules, took, repeats, joules / took, idle / rest)


def _between(meter: Counter, work: Callable[[], Any]) -> tuple[float, float]:
    """Return the joules and the seconds of one call."""
    before, start = meter.read(), time.perf_counter()
    work()
    after, end = meter.read(), time.perf_counter()
    return meter.joules(before, after), end - start


def _rapl() -> Counter:
    """Return the meters of all CPU packages: zones without a parent, without the platform's."""
    zones = [
        zone
        for zone in sorted(POWERCAP.glob("*-rapl:*"))
        if zone.name.count(":") == 1 and _name(zone).startswith("package")
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


def _name(zone: Path) -> str:
    """Return what a zone says it is: "psys", the platform, holds the packages once more."""
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

    def ask(function: str, *arguments: Any) -> None:
        try:
            status = getattr(library, function)(*arguments)
        except AttributeError:
            raise NoCounter(f"the energy counter of the device: {NVML} has no {function}") from None
        if status:
            raise NoCounter(f"the energy counter of the device: {function} returned {status}")

    def read() -> tuple[int, ...]:
        ask("nvmlDeviceGetTotalEnergyConsumption", handle, ctypes.byref(millijoules))
        return (millijoules.value,)

    ask("nvmlInit_v2")
    bus = device.pci_bus_id.encode()
    ask("nvmlDeviceGetHandleByPciBusId_v2", bus, ctypes.byref(handle))
    read()
    return Counter("NVML", 1e-3, (1 << 64,), read)
