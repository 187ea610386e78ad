"""Energy counters: fake RAPL files, a fake NVML, and none."""

import ctypes
from types import SimpleNamespace

import pytest

from graphla.cuda.runtime.device import device
from graphla.errors import NoCounter
from graphla.graph500 import energy
from tests.clock import Clock


@pytest.fixture
def zones(tmp_path, monkeypatch):
    """Make the RAPL files of two CPU packages, one with a zone for its cores."""
    for name, uj in (("intel-rapl:0", 1000), ("intel-rapl:0:0", 7), ("intel-rapl:1", 2000)):
        zone = tmp_path / name
        zone.mkdir()
        (zone / "energy_uj").write_text(f"{uj}\n")
        (zone / "max_energy_range_uj").write_text("9999\n")
    (tmp_path / "intel-rapl").mkdir()
    monkeypatch.setattr(energy, "POWERCAP", tmp_path)
    return tmp_path


def test_packages_are_summed_and_their_parts_are_not(zones):
    meter = energy.open_counter("cpu")
    before = meter.read()
    assert before == (1000, 2000)
    (zones / "intel-rapl:0" / "energy_uj").write_text("500\n")  # it wrapped around
    (zones / "intel-rapl:1" / "energy_uj").write_text("2600\n")
    assert meter.joules(before, meter.read()) == pytest.approx((9500 + 600) * 1e-6)


def test_no_zone(tmp_path, monkeypatch):
    monkeypatch.setattr(energy, "POWERCAP", tmp_path / "none")
    with pytest.raises(NoCounter, match="has no RAPL zone"):
        energy.open_counter("cpu")


def test_a_zone_that_cannot_be_read(zones):
    (zones / "intel-rapl:1" / "energy_uj").unlink()
    with pytest.raises(NoCounter, match="cannot be read"):
        energy.open_counter("cpu")


def test_work_is_repeated_and_idle_power_is_measured(monkeypatch):
    """50 W idle, 300 W at work."""
    clock, joules, watts = Clock(), [0.0], 50
    monkeypatch.setattr(energy, "time", clock)
    seen = [0.0]

    def read():
        joules[0] += watts * (clock.now - seen[0])
        seen[0] = clock.now
        return (round(joules[0] * 1e6),)

    def work():
        nonlocal watts
        watts = 300
        clock.sleep(0.03)

    result = energy.measure_energy(energy.Counter("fake", 1e-6, (1 << 60,), read), work, 0.1)
    assert result.idle_watts == pytest.approx(50)
    assert result.watts == pytest.approx(300)
    assert result.seconds == pytest.approx(0.12)
    assert result.repeats == 4
    assert result.joules == pytest.approx(result.watts * result.seconds)


def test_long_work_is_done_once(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(energy, "time", clock)
    meter = energy.Counter("fake", 1.0, (1 << 60,), lambda: (0,))
    assert energy.measure_energy(meter, lambda: clock.sleep(0.02), 1e-3).repeats == 1


class FakeNvml:
    """Counts 5 mJ a reading; one function may fail."""

    def __init__(self, failing=None):
        self.failing, self.buses, self.millijoules = failing, [], 0

    def __getattr__(self, name):
        def call(*arguments):
            if name == self.failing:
                return 3
            if name == "nvmlDeviceGetHandleByPciBusId_v2":
                self.buses.append(arguments[0])
            if name == "nvmlDeviceGetTotalEnergyConsumption":
                self.millijoules += 5
                ctypes.cast(arguments[1], ctypes.POINTER(ctypes.c_ulonglong))[0] = self.millijoules
            return 0

        return call


def use(monkeypatch, library):
    monkeypatch.setattr(energy.ctypes, "CDLL", lambda name: library)
    monkeypatch.setattr(device, "active", SimpleNamespace(pci_bus_id="0000:1B:00.0"))


def test_nvml(monkeypatch):
    library = FakeNvml()
    use(monkeypatch, library)
    meter = energy.open_counter("cuda")
    assert library.buses == [b"0000:1B:00.0"]
    assert meter.joules(meter.read(), meter.read()) == pytest.approx(5e-3)


@pytest.mark.parametrize(
    "function",
    ["nvmlInit_v2", "nvmlDeviceGetHandleByPciBusId_v2", "nvmlDeviceGetTotalEnergyConsumption"],
)
def test_failing_nvml_functions(monkeypatch, function):
    use(monkeypatch, FakeNvml(failing=function))
    with pytest.raises(NoCounter, match=f"{function} returned 3"):
        energy.open_counter("cuda")


def test_no_nvml(monkeypatch):
    monkeypatch.setattr(energy, "NVML", "libno-such-library.so.1")
    with pytest.raises(NoCounter, match=r"libno-such-library\.so\.1"):
        energy.open_counter("cuda")


def test_nvml_without_the_counter(monkeypatch):
    use(monkeypatch, SimpleNamespace(nvmlInit_v2=lambda: 0))
    with pytest.raises(NoCounter, match="has no nvmlDeviceGetHandleByPciBusId_v2"):
        energy.open_counter("cuda")


def test_the_platform_does_not_count_the_packages_again(zones):
    for name, kind in (("intel-rapl:0", "package-0"), ("intel-rapl:1", "psys")):
        (zones / name / "name").write_text(f"{kind}\n")
    assert energy.open_counter("cpu").read() == (1000,)


def test_a_counter_that_wraps_around_often(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(energy, "time", clock)
    monkeypatch.setattr(energy, "READ_INTERVAL", 0.005)
    spent = [0]

    def work():
        spent[0] += 60
        clock.sleep(0.01)

    meter = energy.Counter("fake", 1.0, (100,), lambda: (spent[0] % 100,))
    result = energy.measure_energy(meter, work, 0.05)
    assert result.joules == 60 * result.repeats
