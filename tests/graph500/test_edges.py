"""The edge list: distribution, counts, and the graph built from it."""

import numpy as np
import pytest

import graphla as gl
from graphla.errors import DomainMismatch, InvalidValue
from graphla.graph500 import EdgeList, edges, kronecker
from graphla.graph500.edges import EdgeSource


def listed(src, dst, weight=None, n=4):
    weight = None if weight is None else np.array(weight, np.float32)
    return EdgeList(np.array(src, np.int32), np.array(dst, np.int32), weight, n)


def test_probabilities_of_the_quadrants():
    """Before relabelling, the bits of an edge choose each quadrant with its probability."""
    m, scale = 1 << 17, 7
    i, j = edges._pairs(scale, EdgeSource("cpu", scale, 5, False).starts, 0, m)
    for bit in range(scale):
        share = np.bincount(2 * (i >> bit & 1) + (j >> bit & 1), minlength=4) / m
        np.testing.assert_allclose(share, [0.57, 0.19, 0.19, 0.05], atol=6e-3)
    first, last = i >> (scale - 1) & 1, i & 1  # bits are independent
    assert abs(np.corrcoef(first, last)[0, 1]) < 0.01


def test_degrees_agree_with_the_other_generator():
    """Sorted degrees of the simple graph, against `gl.generate.kronecker` over some seeds."""
    ours = [degrees(kronecker(12, seed=seed).graph()) for seed in range(4)]
    theirs = [degrees(gl.generate.kronecker(12, seed=seed)) for seed in range(4)]
    a, b = (np.mean(np.sort(np.array(x)), axis=0) for x in (ours, theirs))
    assert np.mean(a == 0) == pytest.approx(np.mean(b == 0), rel=0.05)
    for top in (1, 10, 100, 1000):
        assert a[-top:].mean() == pytest.approx(b[-top:].mean(), rel=0.05)


def degrees(G):
    loops = np.zeros(G.n, np.int64)
    diagonal, _ = G.A.diag().to_coo()
    loops[diagonal] = 1
    return G.out_degree.to_dense() - loops


def test_labels_are_permuted():
    ends = kronecker(12).ends  # without relabelling the first eighth would have most of them
    assert ends[: 1 << 9].sum() < 0.25 * ends.sum()


def test_the_list_is_not_reduced():
    edge_list = kronecker(9, edgefactor=8)
    assert len(edge_list) == 8 << 9
    assert edge_list.n == 1 << 9
    keys = edge_list.src.astype(np.int64) * edge_list.n + edge_list.dst
    assert (np.diff(keys) < 0).any(), "sorted"
    assert np.unique(keys).size < keys.size, "no duplicates"
    assert (edge_list.src == edge_list.dst).any(), "no self-loops"


@pytest.mark.parametrize("scale", [1, 2, 5])
def test_seeds_and_chunks(monkeypatch, scale):
    one = kronecker(scale, seed=3, weighted=True)
    monkeypatch.setitem(edges.CHUNK, "cpu", 7)
    again, other = (kronecker(scale, seed=seed, weighted=True) for seed in (3, 4))
    for name in ("src", "dst", "weight"):
        np.testing.assert_array_equal(getattr(one, name), getattr(again, name))
        assert (getattr(one, name) != getattr(other, name)).any()


def test_weights_are_uniform_and_change_no_edge():
    weighted, plain = kronecker(12, weighted=True), kronecker(12)
    w = weighted.weight
    assert w.dtype == np.float32
    assert w.min() >= 0
    assert w.max() < 1
    share = np.histogram(w, 16, (0, 1))[0] / w.size
    np.testing.assert_allclose(share, 1 / 16, atol=4e-3)
    np.testing.assert_array_equal(weighted.src, plain.src)


@pytest.mark.parametrize("block", [1, 3, 100])
def test_counts(monkeypatch, block):
    monkeypatch.setitem(edges.BLOCK, "cpu", block)
    some = listed([0, 1, 1, 0, 2], [1, 0, 1, 0, 3], n=5)
    assert some.ends.tolist() == [4, 4, 1, 1, 0]
    assert some.loops.tolist() == [1, 1, 0, 0, 0]
    assert some.edges_within(np.array([True, True, False, False, False])) == 4
    assert some.edges_within(np.array([False, False, True, True, False])) == 1


def test_search_keys_have_an_edge_to_another_vertex_and_differ():
    some = listed([0, 1, 4, 4, 6], [1, 2, 4, 4, 5], n=9)
    assert sorted(some.search_keys(64, seed=1)) == [0, 1, 2, 5, 6]
    keys = kronecker(10).search_keys(64, seed=2)
    assert len(set(keys)) == 64
    assert keys != kronecker(10).search_keys(64, seed=3)
    with pytest.raises(InvalidValue, match="none of the 3 vertices"):
        listed([1], [1], n=3).search_keys(1, seed=1)


def test_search_keys_are_uniform():
    some = listed([0, 1, 2, 3], [1, 2, 3, 0])
    drawn = [some.search_keys(1, seed)[0] for seed in range(400)]
    assert np.bincount(drawn, minlength=4).min() > 60


def test_the_graph_keeps_the_lightest_of_duplicates():
    G = listed([0, 1, 0, 2], [1, 0, 1, 2], [0.5, 0.25, 0.75, 0.125]).graph()
    assert G.kind == "undirected"
    weights = {(i, j): w for i, j, w in zip(*(x.tolist() for x in G.A.to_coo()), strict=True)}
    assert weights == {(0, 1): 0.25, (1, 0): 0.25, (2, 2): 0.125}


@pytest.mark.parametrize(
    ("error", "scale", "options"),
    [
        (InvalidValue, 0, {}),
        (InvalidValue, 32, {}),
        (InvalidValue, 3, {"edgefactor": 0}),
        (InvalidValue, 3, {"seed": -1}),
        (DomainMismatch, 3.0, {}),
        (DomainMismatch, 3, {"seed": 1.5}),
    ],
)
def test_numbers_out_of_range_are_refused(error, scale, options):
    with pytest.raises(error, match=next(iter(options), "scale")):
        kronecker(scale, **options)


def test_no_search_keys_are_refused():
    with pytest.raises(InvalidValue, match="count=0"):
        kronecker(3).search_keys(0, 1)
