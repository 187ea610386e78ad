"""Graphs renumbered by degree with rows sorted by weight, also in parts."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.cuda.runtime.device import device
from graphla.native.cuda.renumbered import by_weight
from tests.graphs import random_graph


@pytest.mark.parametrize("part", [1 << 29, 50])
@pytest.mark.parametrize("dtype", [np.uint32, np.uint64, np.float32, np.float64])
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_rows_are_sorted_by_weight(monkeypatch, kind, dtype, part):
    monkeypatch.setattr(by_weight, "PART", part)
    monkeypatch.setattr(by_weight, "LONG", 6)
    G = random_graph(40, 200, kind=kind, dtype="int32", high=5)
    found = by_weight.weight_ordered(G.to("cuda"), dtype)
    order, rank = (device.to_host(x).astype(int) for x in (found.order, found.rank))
    assert (found.n, found.nvals) == (order.size, G.A.nvals)
    for A, lists in ((G.A, found.out), (G.AT, found.into)):
        indptr, indices, values = A.to_csr()
        offsets = device.to_host(lists.offsets)
        edges = device.to_host(lists.edges)
        weights = np.ascontiguousarray(edges[:, 1]).view(dtype)
        lengths = np.diff(offsets)
        assert (lengths[lists.long_end :] < 6).all()
        assert lists.long_end == 0 or lengths[lists.long_end - 1] >= 6
        for k, v in enumerate(order):
            old = slice(int(indptr[v]), int(indptr[v + 1]))
            new = slice(int(offsets[k]), int(offsets[k + 1]))
            assert (np.diff(weights[new].astype(float)) >= 0).all()
            expected = zip(rank[indices[old].astype(int)], values[old], strict=True)
            assert sorted(zip(edges[new, 0], weights[new], strict=True)) == sorted(expected)
