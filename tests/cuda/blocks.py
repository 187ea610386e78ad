"""A device without a GPU whose blocks, of one thread each, are threads that run at once.

It sees what the simulator's one thread cannot: races between blocks, and a wait for all of
them that is missing.
"""

from __future__ import annotations

import ctypes
from pathlib import Path

from tests.cuda import simulator
from tests.cuda.lanes import word

HEADER = (Path(__file__).parent / "blocks.h").read_text()
APART = {
    "static T name[1 << 18]": "static thread_local T name[1 << 18]",
    "void wait_for_blocks(u32* arrived) {": "void wait_for_blocks(u32*) { blocks::wait(); }\n"
    "inline void unused(u32* arrived) {",
}


class Blocks(simulator.Simulator):
    """Runs cooperative kernels in six blocks, others in one thread."""

    blocks = 6

    def compile(self, source, name, cooperative):
        if not cooperative:
            return super().compile(source, name, cooperative)
        for one, many in APART.items():
            assert one in source
            source = source.replace(one, many)
        library = simulator.build(HEADER + source)
        kernel = ctypes.cast(library[name], ctypes.c_void_p)

        def run(threads, block, shared, args):
            words = (ctypes.c_ulonglong * 24)(*map(word, args))
            library.blocks_launch(kernel, words, self.blocks)

        return run
