"""Generators: sizes, distributions against their definitions, seeds, weights, refusals."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import graphla as gl
from graphla.errors import DomainMismatch, InvalidGraph, InvalidValue

generate = gl.generate

# one call of each generator that draws or that takes weights
DRAWN = {
    "kronecker": lambda **options: generate.kronecker(7, edgefactor=4, **options),
    "rmat": lambda **options: generate.rmat(7, a=0.4, b=0.3, c=0.2, **options),
    "uniform": lambda **options: generate.uniform(7, edgefactor=3, **options),
    "random_digraph": lambda **options: generate.random_digraph(90, 3, **options),
    "random_dag": lambda **options: generate.random_dag(90, 3, **options),
    "ssca2": lambda **options: generate.ssca2(7, **options),
    "grid": lambda **options: generate.grid(9, 8, holes=0.2, **options),
    "geometric": lambda **options: generate.geometric(60, 0.3, **options),
}
SHAPES = {
    "path": lambda **options: generate.path(20, **options),
    "cycle": lambda **options: generate.cycle(20, **options),
    "star": lambda **options: generate.star(20, **options),
    "complete": lambda **options: generate.complete(12, **options),
}
MADE = DRAWN | SHAPES


def same(G, H):
    return G.kind == H.kind and G.A.isequal(H.A, check_dtype=True)


def arcs(G):
    rows, cols, _ = G.A.to_coo()
    return set(zip(rows.tolist(), cols.tolist(), strict=True))


# ---- properties of all generators


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
    """The first of equal edges is kept: the smallest would favour small weights."""
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


@pytest.mark.parametrize(
    ("call", "error", "what"),
    [
        (lambda: generate.kronecker(33), InvalidValue, "scale=33"),
        (lambda: generate.kronecker(-1), InvalidValue, "scale=-1"),
        (lambda: generate.kronecker(2.0), DomainMismatch, "scale"),
        (lambda: generate.kronecker(3, edgefactor=-1), InvalidValue, "edgefactor=-1"),
        (lambda: generate.uniform(40), InvalidValue, "scale=40"),
        (lambda: generate.uniform(4, edgefactor=0.5), DomainMismatch, "edgefactor"),
        (lambda: generate.rmat(4, a=0.6, b=0.3, c=0.2), InvalidValue, "at most 1"),
        (lambda: generate.rmat(4, a=-0.1, b=0.3, c=0.2), InvalidValue, "a=-0.1"),
        (lambda: generate.rmat(4, a=0.1, b="0.3", c=0.2), DomainMismatch, "b must be"),
        (lambda: generate.random_digraph(-1, 2), InvalidValue, "n=-1"),
        (lambda: generate.random_digraph(5, float("nan")), InvalidValue, "degree=nan"),
        (lambda: generate.random_digraph(5, float("inf")), InvalidValue, "degree=inf"),
        (lambda: generate.random_dag(5, -1), InvalidValue, "degree=-1"),
        (lambda: generate.ssca2(5, max_clique=0), InvalidValue, "max_clique=0"),
        (lambda: generate.ssca2(5, max_clique=33), InvalidValue, "max_clique=33"),
        (lambda: generate.ssca2(5, joins=1.5), InvalidValue, "joins=1.5"),
        (lambda: generate.grid(), InvalidValue, "at least one dimension"),
        (lambda: generate.grid(3, 0), InvalidValue, r"shape\[1\]=0"),
        (lambda: generate.grid(3, 1.5), DomainMismatch, r"shape\[1\]"),
        (lambda: generate.grid(2**20, 2**20), InvalidValue, "number of vertices"),
        (lambda: generate.grid(3, 3, holes=1.01), InvalidValue, "holes=1.01"),
        (lambda: generate.geometric(4, -0.1), InvalidValue, "radius=-0.1"),
        (lambda: generate.geometric(4, 0.1, dim=0), InvalidValue, "dim=0"),
        (lambda: generate.path(-1), InvalidValue, "n=-1"),
        (lambda: generate.cycle(2), InvalidValue, "n=2"),
        (lambda: generate.star("3"), DomainMismatch, "n must be"),
        (lambda: generate.complete(None), DomainMismatch, "n must be"),
        (lambda: generate.python_imports("/no/such/folder"), InvalidValue, "no folder"),
    ],
)
def test_refused(call, error, what):
    with pytest.raises(error, match=what):
        call()


@pytest.mark.parametrize(
    "make",
    [
        lambda: generate.kronecker(0),
        lambda: generate.uniform(0),
        lambda: generate.rmat(0, a=0.25, b=0.25, c=0.25),
        lambda: generate.ssca2(0),
        lambda: generate.random_digraph(1, 1),
        lambda: generate.random_dag(1, 1),
        lambda: generate.grid(1),
        lambda: generate.geometric(1, 1),
        lambda: generate.path(1),
        lambda: generate.star(1),
        lambda: generate.complete(1),
    ],
)
def test_one_vertex_has_no_edge(make):
    G = make()
    assert (G.n, G.nedges) == (1, 0)


@pytest.mark.parametrize("make", ["path", "star", "complete"])
def test_no_vertex(make):
    assert getattr(generate, make)(0, weights=(1, 2)).n == 0


def test_no_vertex_drawn():
    for G in (generate.random_digraph(0, 2), generate.random_dag(0, 2), generate.geometric(0, 1)):
        assert (G.n, G.nedges) == (0, 0)


def test_names_are_all_reachable():
    assert all(callable(getattr(generate, name)) for name in generate.__all__)
    assert generate.__all__ == sorted(generate.__all__)
