"""The entries of a list by ranges of indices (split_by_range.cu), without sorting them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import kernel
from graphla.cuda.storage.vector_formats import Sparse, cuda_type


class SplitList(NamedTuple):
    """The entries of the first range, then those of the second and so on; in each in any order."""

    counts: list[int]  # of entries, in each range
    indices: Any
    values: Any


def split_by_range(entries: Sparse, boundaries: Any) -> SplitList:
    """Return the entries of a list by ranges of indices.

    Parameters
    ----------
    entries : Sparse
    boundaries : array of the device
        Ascending: range r has the indices from ``boundaries[r]`` to below ``boundaries[r + 1]``.
        The last one is at most what kernels compute as an index of the list. There are few ranges:
        the work is that of all entries times all ranges.

    Notes
    -----
    The host waits once, for the counts; the number of entries need not be known.
    """
    xp, keys, ranges = device.xp, entries.keys, boundaries.size - 1
    boundaries = boundaries.astype(keys.dtype, copy=False)
    types = cuda_type(keys.dtype), cuda_type(entries.values.dtype)
    text = "typedef {} Index;\ntypedef {} V;\n".format(*types)
    words = xp.zeros(2 * ranges, np.uint64)
    counts, written = words[:ranges], words[ranges:]
    limit, size = entries.max_nvals, entries.count
    count = kernel("split_by_range", text, "count_by_range")
    count(limit, size, keys, ranges, boundaries, counts)
    found: list[int] = device.to_host(counts).tolist()
    total = sum(found)
    out = SplitList(found, xp.empty(total, keys.dtype), xp.empty(total, entries.values.dtype))
    split = kernel("split_by_range", text)
    split(limit, size, keys, entries.values, ranges, boundaries, counts, written, *out[1:])
    return out
