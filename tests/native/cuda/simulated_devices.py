"""Simulated devices of several blocks for tests of native and cooperative kernels without a GPU."""

from __future__ import annotations

import re

import pytest

from graphla.cuda.runtime.device import device
from graphla.native.cuda.runtime import KERNELS
from tests.cuda.simulator import Simulator
from tests.cuda.warp_simulator import PREAMBLE, WarpSimulator

NATIVE = {
    name
    for path in KERNELS.rglob("*.cu")
    for name in re.findall(r"^\s*(?:extern.* )?(\w+)\(i64 ", path.read_text(), re.MULTILINE)
}
assert NATIVE, f"no kernels below {KERNELS}"


class NativeBlocks(WarpSimulator):
    """Runs native kernels in three blocks of two warps, other kernels in one thread."""

    blocks = 3

    def compile(self, source, name, cooperative):
        simulator = WarpSimulator if name in NATIVE else Simulator
        return simulator.compile(self, source, name, cooperative)


class NativeBlocksInTurn(NativeBlocks):
    """Runs one block at a time, up to its next barrier of the grid: shows that one is missing."""

    in_turn = True


class CooperativeBlocks(WarpSimulator):
    """Runs cooperative kernels in three blocks of two warps, others in one thread."""

    blocks = 3

    def compile(self, source, name, cooperative):
        simulator = WarpSimulator if cooperative else Simulator
        return simulator.compile(self, source, name, cooperative)


class CooperativeBlocksInTurn(CooperativeBlocks):
    """Runs one block at a time, up to its next barrier of the grid: shows that one is missing."""

    in_turn = True


SUSPENDING_LOADS = """
namespace lanes {
template <class T> T then_suspend(T x) {
  static thread_local unsigned random = 1;
  random = random * 1664525 + 1013904223;
  for (unsigned k = random >> 28; k > 12; k--) turn();
  return x;
}
}
#define __ldcg(p) lanes::then_suspend(*(p))
#define __ldca(p) lanes::then_suspend(*(p))
"""


class InterleavedBlocks(CooperativeBlocks):
    """Concurrent blocks, of threads that may be suspended after a word read by __ldcg or __ldca."""

    preamble = PREAMBLE + SUSPENDING_LOADS


MACHINES = {"one thread": Simulator, "blocks": CooperativeBlocks}


def use_machine(name, monkeypatch):
    """Let a simulated device take the place of the device; on a GPU run "one thread" alone."""
    if device.name == "cuda" and not hasattr(device.active, "limit"):
        if name != "one thread":
            pytest.skip("runs on the GPU as it is")
        return
    machines = {
        **MACHINES,
        "interleaved": InterleavedBlocks,
        "in turn": CooperativeBlocksInTurn,
    }
    monkeypatch.setattr(device, "active", machines[name]())


def use_native_blocks(monkeypatch, simulator=NativeBlocks):
    """Run this test's native kernels in several blocks; skip the test on a GPU."""
    if not isinstance(device.active, Simulator):
        pytest.skip("runs on the GPU as it is")
    monkeypatch.setattr(device, "active", simulator())
