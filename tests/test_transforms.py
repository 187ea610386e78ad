"""Orders and forms of a graph: exact, undone, and with the results that the graph itself has."""

from __future__ import annotations

from functools import partial
from unittest.mock import patch

import numpy as np
import pytest
import scipy.sparse as ss
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla import transform
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidGraph,
    InvalidIndex,
    InvalidValue,
)
from tests import strategies
from tests.graphs import DTYPES, edge_cases, random_graph, to_scipy

ORDERS = {
    "by_degree": transform.by_degree,
    "by_degree, all": lambda G: transform.by_degree(G, cut=False),
    "breadth_first": transform.breadth_first,
    "reverse_cuthill_mckee": transform.reverse_cuthill_mckee,
    "renumber": lambda G: transform.renumber(G, np.random.default_rng(G.n).permutation(G.n)),
}
FORMS = {
    "compress": transform.compress,
    "compress rows by degree": lambda G: transform.compress(transform.rows_by_degree(G)),
    "interleave": transform.interleave,
    "interleave all": lambda G: transform.interleave(transform.rows_by_degree(G), 1),
    "interleave none": lambda G: transform.interleave(G, 0),
    "byte_ids": transform.byte_ids,
}
EVERY = strategies.graphs(weights=strategies.signed_weights, max_n=70, max_m=150)


def host(x):
    """Copy an array to host memory."""
    return x.get() if hasattr(x, "get") else x


def equal_matrices(A, B):
    assert A.dtype == B.dtype
    for a, b in zip(A.to_coo(), B.to_coo(), strict=True):
        assert host(a).tolist() == host(b).tolist()


# ---- orders


def check_order(G, name):
    """The matrix is P A P', its rows ascend, and it can be undone."""
    H, permutation = ORDERS[name](G)
    assert (H.kind, H.dtype, H.engine) == (G.kind, G.dtype, G.engine)
    order = host(permutation.order)
    assert len(set(order.tolist())) == H.n == order.size
    i, j, x = map(host, G.A.to_coo())
    place = host(permutation.place)
    assert (place[order] == np.arange(H.n)).all()
    assert (np.delete(place, order) == -1).all()
    by = np.lexsort((place[j], place[i]))
    a, b, y = map(host, H.A.to_coo())
    assert (a.tolist(), b.tolist()) == (place[i][by].tolist(), place[j][by].tolist())
    assert y.tolist() == x[by].tolist()
    equal_matrices(permutation.restore(H).A, G.A)
    return H, permutation


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_orders_of_edge_cases(name, kind):
    for G in edge_cases(kind).values():
        check_order(G, name)


@pytest.mark.parametrize("name", ORDERS)
@given(G=EVERY)
def test_orders(name, G):
    check_order(G, name)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype):
    for name in ORDERS:
        check_order(random_graph(30, 80, dtype=dtype), name)


def check_degrees(G, cut):
    H, permutation = transform.by_degree(G, cut=cut)
    degree = host(H.out_degree.to_dense())
    assert (degree[1:] <= degree[:-1]).all()
    order = host(permutation.order)
    same = degree[1:] == degree[:-1]
    assert (order[1:][same] > order[:-1][same]).all()
    touched = np.unique(np.concatenate([host(x) for x in G.A.to_coo()[:2]]))
    assert H.n == (touched.size if cut else G.n)


@given(EVERY, st.booleans())
def test_degrees_descend(G, cut):
    check_degrees(G, cut)


def queue_order(G, by_degree):
    """Return the order of a queue, by the book."""
    neighbours = [set() for _ in range(G.n)]
    for i, j in zip(*(host(x).tolist() for x in G.A.to_coo()[:2]), strict=True):
        neighbours[i].add(j)
        neighbours[j].add(i)

    def key(v):
        return (len(neighbours[v]) if by_degree else 0, v)

    found, seen = [], set()
    for seed in sorted(range(G.n), key=key):
        if seed in seen:
            continue
        queue = [seed]
        seen.add(seed)
        for u in queue:
            new = sorted(neighbours[u] - seen, key=key)
            queue += new
            seen.update(new)
        found += queue
    return found[::-1] if by_degree else found


def check_sweeps(G):
    order = host(transform.breadth_first(G).permutation.order)
    assert order.tolist() == queue_order(G, by_degree=False)
    order = host(transform.reverse_cuthill_mckee(G).permutation.order)
    assert order.tolist() == queue_order(G, by_degree=True)


@given(strategies.graphs(max_n=40, max_m=60))
def test_sweeps(G):
    check_sweeps(G)


@given(strategies.graphs(kind="undirected", max_n=14, max_m=30))
def test_reverse_cuthill_mckee_is_scipys(G):
    """SciPy's, once its sort of the degrees is stable; it counts a self-loop twice."""
    G = gl.Graph(G.A.select("offdiag").new(), kind="undirected")
    with patch("numpy.argsort", partial(np.argsort, kind="stable")):
        found = ss.csgraph.reverse_cuthill_mckee(ss.csr_matrix(to_scipy(G)), symmetric_mode=True)
    assert transform.reverse_cuthill_mckee(G).permutation.order.tolist() == found.tolist()


def test_bandwidth_of_a_shuffled_grid():
    G = transform.renumber(
        gl.generate.grid(20, 20), np.random.default_rng(1).permutation(400)
    ).graph
    H = transform.reverse_cuthill_mckee(G).graph

    def bandwidth(G):
        i, j, _ = G.A.to_coo()
        return np.abs(i.astype(np.int64) - j.astype(np.int64)).max()

    assert bandwidth(H) < bandwidth(G)


# ---- results


def check_results(G, name, source=0):
    """What algorithms find in the other order is, undone, what they find in the graph."""
    H, permutation = ORDERS[name](G)
    if name == "by_degree" and host(permutation.place)[source] < 0:
        with pytest.raises(InvalidIndex, match="cut off"):
            permutation.vertex(source)
        return
    start = permutation.vertex(source)
    undone = permutation.undo(gl.bfs(H, start))
    assert "parent" not in vars(undone)
    equal_vectors(undone.level, gl.bfs(G, source).level)
    assert "parent" not in vars(undone)
    gl.verify.bfs(G.to("cpu"), source, undone.level, undone.parent)
    assert undone.parent is undone.parent
    assert isinstance(undone.new(), gl.results.BFS)
    if not G.nedges or G.min_weight >= 0:
        distance, parent = permutation.undo(gl.sssp(H, start))
        equal_vectors(distance, gl.sssp(G, source).distance)
        gl.verify.sssp(G.to("cpu"), source, distance, parent)
    component = permutation.undo_components(gl.connected_components(H))
    equal_vectors(component, gl.connected_components(G))
    closure = permutation.undo(gl.transitive_closure(H))
    assert closure.shape == (G.n, G.n)
    equal_matrices(closure, gl.transitive_closure(G))
    if H.n == G.n:
        rank, iterations, residual = permutation.undo(gl.pagerank(H))
        want = gl.pagerank(G)
        assert iterations == want.iterations
        assert np.allclose(host(rank.to_dense()), host(want.rank.to_dense()), atol=1e-5)
        assert residual == pytest.approx(want.residual, abs=1e-5)
    if G.kind == "undirected":
        forest = permutation.undo(gl.minimum_spanning_forest(H)).new()
        gl.verify.minimum_spanning_forest(G.to("cpu"), forest)
        assert forest.weight == gl.minimum_spanning_forest(G).weight
        equal_vectors(forest.component, gl.minimum_spanning_forest(G).component)
        src, dst = (host(x.to_dense()) for x in forest.edges[:2])
        assert (src < dst).all()
        assert (np.diff(src * G.n + dst) > 0).all()


def equal_vectors(x, y):
    assert x.dtype == y.dtype
    assert x.size == y.size
    assert host(x.to_dense(fill_value=-7)).tolist() == host(y.to_dense(fill_value=-7)).tolist()


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_results_of_edge_cases(name, kind):
    for G in edge_cases(kind).values():
        if G.n:
            check_results(G, name)


@pytest.mark.parametrize("name", ORDERS)
@given(G=strategies.graphs(weights=strategies.small_weights), data=st.data())
def test_results(name, G, data):
    check_results(G, name, data.draw(st.integers(0, G.n - 1)))


# ---- rows and forms


def check_rows(G):
    """Each row has its entries, by descending degree, or by weight."""
    indptr, indices, values = (None if x is None else host(x) for x in arrays(G))
    weight = np.ones(indices.size) if values is None else values
    degree = np.diff(indptr)
    rows = np.repeat(np.arange(G.n), degree)
    keys = {
        transform.rows_by_degree: (indices, -degree[indices], rows),
        transform.rows_by_weight: (indices, weight, rows),
    }
    for function, key in keys.items():
        found = function(G)
        by = np.lexsort(key)
        assert (found.n, found.kind, found.engine) == (G.n, G.kind, G.engine)
        assert host(found.indptr).tolist() == indptr.tolist()
        assert host(found.indices).tolist() == indices[by].tolist()
        if values is None:
            assert found.values is None
        else:
            assert host(found.values).tobytes() == values[by].tobytes()


def arrays(G):
    indptr, indices, values = G.A.to_csr()
    return indptr.astype(np.int64), indices, None if G.dtype == "BOOL" else values


@given(strategies.graphs(weights=st.one_of(st.integers(-3, 3), strategies.float_weights)))
def test_rows(G):
    check_rows(G)


@pytest.mark.parametrize("dtype", [None, *DTYPES])
def test_rows_of_each_dtype(dtype):
    check_rows(random_graph(30, 120, dtype=dtype, high=5))


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_rows_of_edge_cases(kind):
    for G in edge_cases(kind).values():
        check_rows(G)


def check_form(G, name):
    form = FORMS[name](G)
    rows = transform.rows_by_degree(G) if "degree" in name or "all" in name else None
    indptr, indices = (rows.indptr, rows.indices) if rows else arrays(G)[:2]
    found = form.decode()
    assert host(found.indptr).tolist() == host(indptr).tolist()
    assert host(found.indices).tolist() == host(indices).tolist()
    assert found.indices.dtype == np.int32
    assert (found.n, found.kind, found.engine) == (G.n, G.kind, G.engine)
    assert found.values is None


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_forms_of_edge_cases(name, kind):
    for G in edge_cases(kind).values():
        check_form(G, name)


@pytest.mark.parametrize("name", FORMS)
@given(G=strategies.graphs(max_n=150, max_m=200))
def test_forms(name, G):
    check_form(G, name)


def spread(n, m, seed):
    """Return a graph whose neighbours are near and far."""
    rng = np.random.default_rng(seed)
    src = rng.integers(0, n, m)
    dst = np.where(rng.random(m) < 0.7, src + rng.integers(-700, 700, m), rng.integers(0, n, m))
    return gl.Graph.from_edges(src, dst.clip(0, n - 1), n=n)


@pytest.mark.parametrize("name", FORMS)
def test_forms_of_wide_graphs(name):
    for n, seed in ((1023, 1), (1025, 2), (70000, 3)):
        check_form(spread(n, 3 * n, seed), name)


def test_windows_hold_the_most():
    form = transform.byte_ids(gl.Graph.from_edges([5] * 6, [0, 3, 2000, 2001, 3023, 3024], n=4000))
    assert host(form.base)[5] == 2000
    assert host(form.far).tolist() == [0, 3, 3024]
    assert host(form.bytes).tolist() == [0, 1, 255]
    assert host(form.blocks).tolist() == [3 << 4]


def check_blocks(G, size):
    form = transform.block_edges(G, size)
    src, dst, starts = host(form.src), host(form.dst), host(form.starts)
    segments = -(-G.n // size)
    assert starts.size == segments**2 + 1
    for b in range(segments**2):
        part = slice(starts[b], starts[b + 1])
        assert (dst[part] // size == b // segments).all()
        assert (src[part] // size == b % segments).all()
        keys = src[part].astype(np.int64) * G.n + dst[part]
        assert (np.diff(keys) > 0).all()
    assert src.size == G.nedges == starts[-1]
    H = form.decode()
    assert H.kind == G.kind
    equal_matrices(H.A, G.A)


@given(EVERY, st.integers(1, 80))
def test_blocked_edges(G, size):
    check_blocks(G, size)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_blocks_of_edge_cases(kind):
    for G in edge_cases(kind).values():
        check_blocks(G, 2)


# ---- weights


def check_weights(G):
    """Codes and ranks have the order of the weights, and give them back."""
    H, (R, weights) = transform.weights_to_codes(G), transform.weights_to_ranks(G)
    w = host(G.A.to_coo()[2])
    code, rank = host(H.A.to_coo()[2]), host(R.A.to_coo()[2])
    assert code.dtype == f"u{w.itemsize}"
    assert rank.dtype == np.uint32
    by = np.argsort(w, kind="stable")
    for k in (code[by], rank[by]):
        assert ((k[1:] == k[:-1]) == (w[by][1:] == w[by][:-1])).all()
        assert (k[1:] >= k[:-1]).all()
    assert host(weights).tolist() == np.unique(w).tolist()
    for back in (
        transform.codes_to_weights(H, G.dtype),
        transform.ranks_to_weights(R, weights),
    ):
        assert back.kind == G.kind
        equal_matrices(back.A, G.A)


@given(strategies.graphs(weights=strategies.signed_weights))
def test_integer_weights(G):
    check_weights(G)


@given(strategies.graphs(weights=st.floats(allow_nan=False)))
def test_float_weights(G):
    check_weights(G)


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_each_dtype(dtype):
    kind = np.dtype(dtype).kind
    if kind == "b":
        return check_weights(random_graph(9, 20))
    info = np.finfo(dtype) if kind == "f" else np.iinfo(dtype)
    special = [info.max, info.min, 0, 1, *([np.inf, -np.inf, -info.tiny] if kind == "f" else [])]
    src = np.arange(len(special))
    return check_weights(gl.Graph.from_edges(src, src[::-1], np.array(special, dtype)))


def test_zeros_are_equal():
    G = gl.Graph.from_edges([0, 1, 2], [1, 2, 3], [0.0, -0.0, 1.0])
    for H in (transform.weights_to_codes(G), transform.weights_to_ranks(G).graph):
        a, b, c = host(H.A.to_coo()[2]).tolist()
        assert a == b < c


# ---- what is refused


def refusals(G):
    """Yield (error, text, function) for what transforms of a graph of 4 vertices refuse."""
    H, permutation = transform.by_degree(G)
    r = gl.bfs(H, 0)
    undone = permutation.undo(r)
    codes = transform.weights_to_codes(G)
    yield DomainMismatch, "order holds float64", lambda: transform.renumber(G, [0.5, 1.0])
    yield DimensionMismatch, "one list", lambda: transform.renumber(G, [[0, 1], [2, 3]])
    yield InvalidIndex, "n=4", lambda: transform.renumber(G, [0, 1, 4])
    yield InvalidIndex, "n=4", lambda: transform.renumber(G, [-1, 1, 2])
    yield InvalidGraph, "twice", lambda: transform.renumber(G, [0, 1, 1, 2])
    yield InvalidGraph, "leaves out", lambda: transform.renumber(G, [0, 1])
    yield InvalidIndex, "4 is not a vertex", lambda: permutation.vertex(4)
    yield InvalidIndex, "cut off", lambda: permutation.vertex(3)
    yield DomainMismatch, "float", lambda: permutation.vertex(1.5)
    yield DomainMismatch, "not list", lambda: permutation.undo([1, 2, 3])
    yield DimensionMismatch, "shape", lambda: permutation.undo(gl.bfs(G, 0).level)
    yield DimensionMismatch, "shape", lambda: permutation.undo_vertices(gl.bfs(G, 0).level)
    yield DomainMismatch, "not", lambda: permutation.undo_components(H.A)
    yield DimensionMismatch, "n=4", lambda: permutation.restore(G)
    yield InvalidValue, "share", lambda: transform.interleave(G, 1.5)
    yield InvalidValue, "size", lambda: transform.block_edges(G, 0)
    yield DomainMismatch, "size", lambda: transform.block_edges(G, 1.5)
    yield DomainMismatch, "no codes", lambda: transform.codes_to_weights(G, "INT64")
    yield DomainMismatch, "no codes", lambda: transform.codes_to_weights(codes, "FP32")
    yield DomainMismatch, "no ranks", lambda: transform.ranks_to_weights(G, [1.0])
    yield InvalidIndex, "of 1 weights", lambda: transform.ranks_to_weights(codes, np.ones(1))
    with pytest.raises(AttributeError):
        undone.nothing


def check_refusals(engine):
    G = gl.Graph.from_edges([0, 1], [1, 2], [3, 4], n=4).to(engine)
    for error, text, function in refusals(G):
        with pytest.raises(error, match=text):
            function()
    nan = gl.Graph.from_edges([0, 1], [1, 2], [np.nan, 1.0]).to(engine)
    for function in (
        transform.weights_to_codes,
        transform.weights_to_ranks,
        transform.rows_by_weight,
    ):
        with pytest.raises(InvalidValue, match="NaN"):
            function(nan)


def test_refused():
    check_refusals("cpu")


@pytest.mark.parametrize(
    "function",
    [
        *(transform.by_degree, transform.breadth_first, transform.reverse_cuthill_mckee),
        *(transform.rows_by_degree, transform.rows_by_weight, transform.compress),
        *(transform.interleave, transform.block_edges, transform.byte_ids),
        *(transform.weights_to_codes, transform.weights_to_ranks),
    ],
)
def test_what_is_no_graph_is_refused(function):
    with pytest.raises(DomainMismatch, match="expected"):
        function(np.eye(3))


def test_too_many_blocks():
    with pytest.raises(InvalidValue, match="segments"):
        transform.block_edges(gl.generate.path(50000), 1)


def test_text():
    _, permutation = transform.by_degree(gl.generate.path(3))
    assert repr(permutation) == "<Permutation: 3 of 3 vertices, cpu>"
    assert "level=" in repr(permutation.undo(gl.bfs(gl.generate.path(3), 0)))
