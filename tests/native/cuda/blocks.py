"""A device without a GPU that runs native kernels by warps and blocks, others by one thread."""

from __future__ import annotations

import re

import pytest

from graphla.cuda.runtime.device import device
from graphla.native.cuda.runtime import KERNELS
from tests.cuda.simulator import Simulator
from tests.cuda.warp_simulator import WarpSimulator

NATIVE = {
    name
    for path in KERNELS.rglob("*.cu")
    for name in re.findall(r"^\s*(?:extern.* )?(\w+)\(i64 ", path.read_text(), re.MULTILINE)
}
assert NATIVE, f"no kernels below {KERNELS}"


class Blocks(WarpSimulator):
    """Runs three blocks of two warps each, at the same time if the launch is cooperative."""

    blocks = 3

    def compile(self, source, name, cooperative):
        home = WarpSimulator if name in NATIVE else Simulator
        return home.compile(self, source, name, cooperative)


def choose(monkeypatch):
    """Run this test's kernels so, unless there is a device."""
    if not isinstance(device.active, Simulator):
        pytest.skip("there is a device")
    monkeypatch.setattr(device, "active", Blocks())
