"""Devices that run a cooperative kernel in many threads where there is no GPU."""

from __future__ import annotations

import pytest

from graphla.cuda.device import device
from tests.cuda.blocks import Blocks
from tests.cuda.simulator import Simulator
from tests.native.cuda.test_bfs import OneBlock


class Cooperative(OneBlock):
    """Runs a cooperative kernel in two warps of one block, what is around it in one thread."""

    threads = 64

    def compile(self, source, name, cooperative):
        where = OneBlock if cooperative else Simulator
        return where.compile(self, source, name, cooperative)


MACHINES = {"one thread": Simulator, "lanes": Cooperative, "blocks": Blocks}


def choose(name, monkeypatch):
    """Put a machine in the place of the device; on a GPU there is nothing to choose."""
    if device.name == "cuda" and not hasattr(device.now, "limit"):
        if name != "one thread":
            pytest.skip("there is a device")
        return
    monkeypatch.setattr(device, "now", MACHINES[name]())
