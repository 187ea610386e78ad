"""A simulated device with warps of 32 lanes, blocks and barriers; its threads are coroutines.

It is slower than the simulator of one thread, but shows errors that depend on many threads: in
shuffles and ballots, in the distribution of work over a block, in missing barriers.
"""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np

from graphla.cuda.runtime.kernel_text import text
from tests.cuda import kernel_units
from tests.cuda.simulator import SHIM, Simulator

HERE = Path(__file__).parent
# Lines of shim.h that are used here too begin with these words.
SHARED_LINES = ("#include", "template", "inline int __", "using")
# Except these atomics: warp_simulator.h has versions for several threads of the host.
REPLACED = tuple(
    f"T atomic{operation}(" for operation in ("Add", "Or", "CAS", "Exch", "Min", "Max")
)
PREAMBLE = (HERE / "warp_simulator.h").read_text() + "".join(
    line
    for line in SHIM.splitlines(keepends=True)
    if line.startswith(SHARED_LINES) and not any(name in line for name in REPLACED)
)
WORDS = 64  # as in warp_simulator.h
FOR_MANY_LANES = {  # definitions for one lane in the headers of kernels -> for 32 lanes
    "enum { WARP = 1 };": "enum { WARP = 32 };",
    "u32 ballot(bool p) { return p; }": "u32 ballot(bool p) { return lanes::ballot(p); }",
    "i64 append(u64* count) { return (*count)++; }": (
        "i64 append(u64* count) { return atomicAdd(count, (u64)1); }"
    ),
    "T from_lane(T x, int) { return x; }": (
        "T from_lane(T x, int l) { return lanes::from_lane(x, l); }"
    ),
}
assert all(definition in text("warp.cuh") for definition in FOR_MANY_LANES)


class WarpSimulator(Simulator):
    """Runs grids of two blocks of 64 threads.

    `in_turn`: the blocks of a cooperative launch run one at a time from barrier to barrier, else
    concurrently; a kernel whose blocks wait for each other elsewhere needs that.
    """

    blocks, threads = 2, 64
    in_turn = False

    preamble = PREAMBLE

    @classmethod
    def program(cls, source):
        """Return the C++ of a kernel's CUDA text."""
        for one_lane, many_lanes in FOR_MANY_LANES.items():
            source = source.replace(one_lane, many_lanes)
        return kernel_units.Program(cls.preamble, source)

    def compile(self, source, name, cooperative):
        if self.preamble == PREAMBLE:
            kernel_units.record("WarpSimulator", source)
        library, prefix = kernel_units.load(self.program(source))
        kernel = ctypes.cast(library[prefix + name], ctypes.c_void_p)

        def run(threads, block, shared, args):
            doubles = [x for x in args if isinstance(x, np.float64)]
            words = (ctypes.c_ulonglong * (WORDS + 2))(
                *[word(x) for x in args if not isinstance(x, np.float64)]
            )
            for k, x in enumerate(doubles, WORDS):
                words[k] = int(x.view(np.uint64))
            grid = kernel, words, self.blocks, self.threads
            with self.running:  # kernels of a library share its barriers
                if cooperative:
                    ended = library.lanes_launch_together(*grid, self.in_turn)
                else:
                    ended = library.lanes_launch(*grid)
            assert ended, f"{name} does not terminate"

        return run


def word(x):
    """Return a kernel argument as a 64-bit word."""
    if x is None:
        return 0
    if isinstance(x, np.ndarray):
        assert x.flags.c_contiguous
        return x.ctypes.data if x.size else 0
    x = x.item() if isinstance(x, np.generic) else x
    assert isinstance(x, int), f"not an argument of a kernel: {x!r}"
    return x & (1 << 64) - 1
