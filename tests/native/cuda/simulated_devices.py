"""Simulated devices that run a cooperative kernel in many threads, if there is no GPU."""

from __future__ import annotations

import pytest

from graphla.cuda.runtime.device import device
from tests.cuda.simulator import Simulator
from tests.cuda.warp_simulator import WarpSimulator


class Together(WarpSimulator):
    """Runs a cooperative kernel in blocks that wait for each other, others in one thread."""

    blocks, threads = 3, 64

    def compile(self, source, name, cooperative):
        simulator = WarpSimulator if cooperative else Simulator
        return simulator.compile(self, source, name, cooperative)


class Interleaved(Together):
    """Lets a thread stop after any word that it reads by __ldcg or __ldca, as a device may."""

    def compile(self, source, name, cooperative):
        if cooperative:
            source = STOPS + source
        return super().compile(source, name, cooperative)


STOPS = """
namespace lanes {
template <class T> T stops(T x) {
  static thread_local unsigned drawn = 1;
  drawn = drawn * 1664525 + 1013904223;
  for (unsigned k = drawn >> 28; k > 12; k--) turn();
  return x;
}
}
#define __ldcg(p) lanes::stops(*(p))
#define __ldca(p) lanes::stops(*(p))
"""
MACHINES = {"one thread": Simulator, "blocks": Together}


def choose(name, monkeypatch):
    """Put a machine in the place of the device; on a GPU there is nothing to choose."""
    if device.name == "cuda" and not hasattr(device.active, "limit"):
        if name != "one thread":
            pytest.skip("there is a device")
        return
    machines = {**MACHINES, "interleaved": Interleaved}
    monkeypatch.setattr(device, "active", machines[name]())
