"""Connected components on engine "cuda" by each strategy, and the kernels they launch."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.components import connected_components as module
from graphla.cuda.runtime.device import device
from tests.cuda.launching import launches
from tests.graphs import edges, large_and_small, random_graph

STRATEGIES = ({}, {"MAX_LOWERED": 1 << 20}, {"MAX_LOWERED": 0}, {"MAX_LEVELS": 0})


@pytest.mark.parametrize("constants", STRATEGIES)
def test_each_strategy(constants, monkeypatch):
    path = edges(range(299), range(1, 300), n=300, kind="undirected")
    for G in (large_and_small(), random_graph(300, 300, kind="undirected", seed=2), path):
        want = gl.native.connected_components(G).to_dense()
        with monkeypatch.context() as patch:
            for name, value in constants.items():
                patch.setattr(module, name, value)
            found = gl.connected_components(G.to("cuda"))
        assert found.dtype == "INT32"
        np.testing.assert_array_equal(device.to_host(found.to_dense()), want)


def test_a_small_rest_takes_few_kernels_and_no_matrix(monkeypatch):
    monkeypatch.setattr(module, "_hook_and_shortcut", None)
    G = large_and_small().to("cuda").cache("out_degree", "max_out_degree")
    gl.connected_components(G)
    names = launches(lambda: gl.connected_components(G))
    assert not {"extract_rows", "extract_columns", "normalize_indices"} & set(names)
    assert len(names) <= 60
