"""A device without a GPU whose threads take turns: warps of 32 lanes, blocks, barriers.

Slower than the simulator's one thread, it runs what that cannot: the part of a lane in a
shuffle or a ballot, work dealt out in a block, a barrier that is missing.
"""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np

from tests.cuda import simulator

HERE = Path(__file__).parent
TYPES = ("#include", "template", "inline int __", "using")
OURS = (
    "T atomicAdd(",
    "T atomicOr(",
    "T atomicCAS(",
    "T atomicExch(",
    "T atomicMin(",
    "T atomicMax(",
)  # which are those of threads of the host in warp_simulator.h
WORDS = 64  # as in warp_simulator.h
ONE = {
    "enum { WARP = 1 };": "enum { WARP = 32 };",
    "u32 ballot(bool p) { return p; }": "u32 ballot(bool p) { return lanes::ballot(p); }",
    "i64 append(u64* count) { return (*count)++; }": (
        "i64 append(u64* count) { return atomicAdd(count, (u64)1); }"
    ),
    "T from_lane(T x, int) { return x; }": (
        "T from_lane(T x, int l) { return lanes::from_lane(x, l); }"
    ),
}


class WarpSimulator(simulator.Simulator):
    """Runs grids of two blocks, of 64 threads each; those of a cooperative launch at once."""

    blocks, threads = 2, 64

    def compile(self, source, name, cooperative):
        for one, many in ONE.items():
            source = source.replace(one, many)
        shim = (HERE / "shim.h").read_text().splitlines(keepends=True)
        rest = "".join(
            line
            for line in shim
            if line.startswith(TYPES) and not any(name in line for name in OURS)
        )
        library = simulator.build((HERE / "warp_simulator.h").read_text() + rest + source)
        kernel = ctypes.cast(library[name], ctypes.c_void_p)

        def run(threads, block, shared, args):
            reals = [x for x in args if isinstance(x, np.float64)]
            words = (ctypes.c_ulonglong * (WORDS + 2))(
                *[word(x) for x in args if not isinstance(x, np.float64)]
            )
            for k, x in enumerate(reals, WORDS):
                words[k] = int(x.view(np.uint64))
            launch = library.lanes_launch_together if cooperative else library.lanes_launch
            assert launch(kernel, words, self.blocks, self.threads), f"{name} never ends"

        return run


def word(x):
    if x is None:
        return 0
    if isinstance(x, np.ndarray):
        assert x.flags.c_contiguous
        return x.ctypes.data if x.size else 0
    x = x.item() if isinstance(x, np.generic) else x
    assert isinstance(x, int), f"no word: {x!r}"
    return x & (1 << 64) - 1
