"""The device of these tests: the simulator, for the length of each."""

import pytest

from graphla.cuda.device import device
from tests.cuda.simulator import Simulator


@pytest.fixture(autouse=True)
def simulated(monkeypatch):
    monkeypatch.setattr(device, "now", Simulator())
