"""Flags of entries: as bits, with sums over words of 32 alone, how many stand before any entry."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.runtime.compile import kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import element, index_dtype


class Flags:
    """Flags given as an array of Booleans; see entry_flags.cuh."""

    __slots__ = ("bits", "count", "ends", "text")

    def __init__(self, flags: Any) -> None:
        xp, n = device.xp, flags.size
        words, kind = n // 32 + 1, index_dtype(n)
        self.text = f"typedef {element(kind)} Ends;\n"
        self.bits, self.ends = xp.empty(words, np.uint32), xp.zeros(words + 1, kind)
        pack = kernel(
            "entry_flags", f"{self.text}typedef i32 Offset; typedef i32 Start;\n", "pack_flags"
        )
        pack(words, n, flags, self.bits, self.ends[1:])
        xp.cumsum(self.ends, out=self.ends)
        self.count = int(device.word(self.ends[-1]))

    def starts(self, indptr: Any) -> Any:
        """Return where the rows of the flagged entries begin."""
        out = device.xp.empty(indptr.size, index_dtype(self.count))
        types = f"typedef {element(indptr.dtype)} Offset; typedef {element(out.dtype)} Start;\n"
        run = kernel("entry_flags", self.text + types, "flagged_row_offsets")
        run(out.size, out.size, indptr, self.bits, self.ends, out)
        return out
