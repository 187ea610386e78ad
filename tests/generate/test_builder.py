"""What all generators share: kinds, seeds, weights, refusals."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import graphla as gl
from graphla.errors import DomainMismatch, InvalidGraph, InvalidValue
from tests.generate.generators import DRAWN, MADE, arcs, generate, same


@pytest.mark.parametrize("name", MADE)
def test_graphs_are_simple_and_of_the_requested_kind(name):
    make = MADE[name]
    for kind in ("undirected", "directed"):
        options = {"kind": kind}
        if "kind" not in inspect.signature(getattr(generate, name)).parameters:
            options = {}
            kind = make().kind
        G = make(**options)
        assert G.kind == kind
        assert G.nself_edges == 0
        assert not G.weighted
        assert G.A.ss.is_iso
        assert same(G, gl.Graph(G.A, kind=kind))  # raises unless symmetric if undirected


@pytest.mark.parametrize("name", DRAWN)
def test_equal_seeds_give_equal_graphs(name):
    make = DRAWN[name]
    assert same(make(), make(seed=1))
    assert same(make(seed=5, weights=(1, 9)), make(seed=np.int64(5), weights=[1, 9]))
    assert not same(make(seed=1), make(seed=2))


@pytest.mark.parametrize("name", MADE)
def test_weights_are_in_range_and_do_not_change_the_edges(name):
    make = MADE[name]
    G = make(weights=(3, 5))
    assert G.dtype.name == "INT32"
    assert (G.min_weight, G.max_weight) == (3, 5)  # both included
    assert arcs(G) == arcs(make())
    assert not same(G, make(weights=(3, 5), seed=2))
    assert set(make(weights=(7, 7)).A.to_coo()[2].tolist()) == {7}


@pytest.mark.parametrize(
    "dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
)
def test_weights_of_every_integer_dtype_reach_its_limits(dtype):
    limits = np.iinfo(dtype)
    for low, high in ((limits.min, limits.min), (limits.max, limits.max), (limits.min, limits.max)):
        G = generate.path(40, weights=(low, high, dtype))
        assert G.dtype.np_type == dtype
        assert low <= G.min_weight <= G.max_weight <= high


def test_weights_are_uniform_where_edges_repeat():
    """Of duplicate edges the first is stored: the smallest would favour small weights."""
    G = generate.uniform(6, edgefactor=400, weights=(1, 4))  # each edge about 12 times
    counts = np.bincount(G.A.to_coo()[2])[1:]
    assert counts.size == 4
    assert abs(counts / counts.sum() - 0.25).max() < 0.05


@pytest.mark.parametrize("name", MADE)
def test_invalid_common_arguments(name):
    make = MADE[name]
    for weights in (5, "12", (1,), (1, 2, "int32", 4), (1, "2"), (1.0, 2), (1, 2, "float32")):
        with pytest.raises(DomainMismatch):
            make(weights=weights)
    with pytest.raises(DomainMismatch, match="not a dtype"):
        make(weights=(1, 2, "no such"))
    for weights in ((2, 1), (0, 2**31), (-1, 3, "uint8"), (0, 256, "uint8")):
        with pytest.raises(InvalidValue, match="weight="):
            make(weights=weights)
    with pytest.raises(InvalidValue, match="seed=-1"):
        make(seed=-1)
    for seed in (1.0, None, "1"):
        with pytest.raises(DomainMismatch, match="seed"):
            make(seed=seed)
    if "kind" in inspect.signature(getattr(generate, name)).parameters:
        with pytest.raises(InvalidGraph, match="sideways"):
            make(kind="sideways")
