"""The search of a graph that is in device memory in part."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.core.properties import is_derived
from graphla.cuda import to_graphblas
from graphla.cuda.runtime.device import device
from graphla.errors import DomainMismatch, EngineMismatch, InvalidValue
from graphla.native.cuda import bfs as module
from graphla.native.cuda.bfs import BFSRunner
from graphla.native.cuda.papers.beyond_memory import bfs_beyond_memory, split
from graphla.native.cuda.renumbered.by_degree import degree_ordered, make_degree_ordered
from tests.graphs import random_graph
from tests.native.cuda.test_bfs import SMALL
from tests.strategies import examples, graphs

SHARES = [0, 0.1, 0.3, 0.8, 1]


def check(G, share, *sources):
    H = G.to("cuda")
    bound = int(share * 4 * G.A.nvals * (1 if G.is_symmetric else 2))
    for source in sources:
        r = bfs_beyond_memory(H, source, max_bytes=bound)
        level, parent = (to_graphblas(v) for v in r)
        assert level.isequal(gl.bfs(G, source).level, check_dtype=True)
        gl.verify.bfs(G, source, level, parent)


@pytest.mark.parametrize("parts", [{}, SMALL], ids=["whole", "small parts"])
@pytest.mark.parametrize("share", SHARES)
def test_shares(share, parts, monkeypatch):
    for name, value in parts.items():
        monkeypatch.setattr(module, name, value)
    kron = gl.generate.kronecker(scale=9, edgefactor=12, seed=3)
    for G in (kron, random_graph(500, 3000, kind="directed"), gl.generate.star(3000)):
        check(G, share, 0, 7, G.n - 1)


@examples(30)
@given(graphs(max_n=40, max_m=120), st.sampled_from(SHARES), st.data())
def test_random_graphs(G, share, data):
    check(G, share, data.draw(st.integers(0, G.n - 1)))


@pytest.mark.parametrize("share", SHARES)
def test_no_more_than_the_bound_is_on_the_device(share):
    whole = degree_ordered(gl.generate.kronecker(scale=8, edgefactor=8, seed=2).to("cuda"))
    bound = int(share * whole.out.neighbours.nbytes)
    part = split(whole, bound)
    assert bound - 4 < part.out.neighbours.nbytes <= bound
    assert part.out.nvals == whole.out.nvals
    for v in range(0, whole.n, 37):
        near, far = (
            device.to_host(indices[int(ends[v]) : int(ends[v + 1])]).tolist()
            for ends, indices in (part.out[:2], part.out[2:])
        )
        ends, indices = whole.out[:2]
        assert near + far == device.to_host(indices[int(ends[v]) : int(ends[v + 1])]).tolist()


@pytest.mark.parametrize("bound", [1 << 63, 10**30])
def test_a_bound_beyond_all_words_is_none(bound):
    H = gl.generate.kronecker(scale=6, edgefactor=8, seed=2).to("cuda")
    part = split(degree_ordered(H), bound)
    assert part.out.host_neighbours.size == 0
    gl.verify.bfs(H, 0, *bfs_beyond_memory(H, 0, max_bytes=bound))


def test_only_the_bounded_rows_are_kept():
    H = gl.generate.kronecker(scale=8, edgefactor=8, seed=2).to("cuda")
    bfs_beyond_memory(H, 0, max_bytes=1000)
    assert not is_derived(H, make_degree_ordered)
    (runner,) = (x for x in H._derived.values() if isinstance(x, BFSRunner))
    assert runner.graph.out.neighbours.nbytes <= 1000


def test_refusals():
    G = random_graph(5, 9)
    with pytest.raises(EngineMismatch):
        bfs_beyond_memory(G, 0, max_bytes=8)
    for error, max_bytes in ((InvalidValue, -1), (DomainMismatch, None), (DomainMismatch, 1.5)):
        with pytest.raises(error, match="max_bytes"):
            bfs_beyond_memory(G.to("cuda"), 0, max_bytes=max_bytes)
