"""Contraction of cycles: sound groups, final ones really final, and progress."""

from __future__ import annotations

import numpy as np
from graphblas import indexunary, select
from hypothesis import given

from graphla.algorithms.components.cycle_contraction import contract
from tests.graphs import edges, random_graph, to_scipy
from tests.strategies import graphs


def contracted(G):
    """Root and forced of each vertex of the graph without its self-loops, as arrays."""
    index = G.out_degree.apply(indexunary.rowindex).new()
    A = G.A.select(select.offdiag).new()
    root, forced = contract(A, index)
    assert root.nvals == forced.nvals == G.n
    return root.to_dense(), forced.to_dense()


def reach(G):
    """Reflexive closure as a dense Boolean array."""
    R = to_scipy(G).toarray() > 0
    R |= np.eye(G.n, dtype=bool)
    for _ in range(G.n.bit_length()):
        R = R.astype(int) @ R.astype(int) > 0
    return R


def check(G):
    root, forced = contracted(G)
    R = reach(G)
    strong = R & R.T
    every = np.arange(G.n)
    assert strong[every, root].all()
    assert (root[root] == root).all()
    same = root[:, None] == root[None, :]
    for v in np.flatnonzero(forced):
        assert (strong[v] == same[v]).all()
        assert forced[R[v]].all()


def test_a_path_is_final_at_once():
    root, forced = contracted(edges(range(9), range(1, 10), n=10))
    assert root.tolist() == list(range(10))
    assert forced.all()


def test_a_cycle_is_one_final_group():
    root, forced = contracted(edges([2, 5, 1], [5, 1, 2], n=6))
    assert root.tolist() == [0, 1, 1, 3, 4, 1]
    assert forced.all()


def test_two_cycles_in_a_chain_contract_although_none_but_the_last_is_final():
    a = 2 * np.arange(20)
    G = edges([*a, *(a + 1), *(a[1:] - 1)], [*(a + 1), *a, *a[1:]], n=40)
    root, forced = contracted(G)
    assert root.tolist() == np.repeat(a, 2).tolist()
    assert np.flatnonzero(forced).tolist() == [38, 39]


def test_what_a_cycle_reaches_of_its_own_drain_joins_it():
    G = random_graph(2000, 60_000, seed=2)  # one component, in which cycles of picks are few
    root, _ = contracted(G)
    assert len(np.unique(root)) < 1500


@given(graphs(kind="directed"))
def test_random_graphs(G):
    check(G)


@given(graphs(kind="directed", max_m=16))
def test_sparse_graphs(G):
    check(G)


@given(graphs(kind="directed"))
def test_every_component_of_a_graph_without_sinks_shrinks(G):
    root, _ = contracted(G)
    A = to_scipy(G).toarray() > 0
    A[np.arange(G.n), np.arange(G.n)] = False
    if A.any(axis=1).all():
        assert len(np.unique(root)) < G.n
