"""Full vectors that are gathered in the order in which a matrix reads them."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest

import graphla as gl
from graphla.cuda.storage import sliced_ell
from graphla.cuda.storage.vector_formats import ReorderedDense
from graphla.ranks.blocks.cuda import CUDABlocks
from tests.cuda.conftest import cuda_device  # noqa: F401
from tests.ranks.distributed_objects import assert_same, distributed, layout_of

PRODUCTS = 4  # until slices are made
N = 150


@pytest.fixture(autouse=True)
def small(monkeypatch, cuda_device):  # noqa: F811
    """Let small matrices have slices."""
    sizes = {
        "MIN_ENTRIES": 1, "MIN_SHARE": 0.0, "MIN_SKEW": 0.0, "BREAK_EVEN": PRODUCTS,
        "COUNT_STEP": 1, "MAX_BLOCK_COLUMNS": 40, "PIECE": 9, "TASKS": 5, "RELABEL_GAIN": 0.0,
    }  # fmt: skip
    for name, value in sizes.items():
        monkeypatch.setattr(sliced_ell, name, value)


def random_matrix(seed=0, dtype="FP64"):
    """Return a square Matrix of python-graphblas with empty rows and columns."""
    rng = np.random.default_rng(seed)
    present = rng.random((N, N)) < 0.1
    present[:, ::3] = present[::4] = False
    present[:, [7, 100]] = True
    values = rng.integers(-9, 9, np.count_nonzero(present)).astype(float)
    return gb.Matrix.from_coo(*present.nonzero(), values, dtype, nrows=N, ncols=N)


def full_vector(seed=1, dtype="FP64"):
    values = np.random.default_rng(seed).integers(-9, 9, N).astype(float)
    return gb.Vector.from_dense(values, dtype=dtype)


def gathers(trace):
    return [step.kernel for step in trace if step.operation == "allgather"]


@pytest.mark.parametrize("dtype", ["FP64", "FP32"])
@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("ranks", [2, 3])
def test_pagerank(monkeypatch, ranks, kind, dtype):
    """No rank receives values of vertices that nothing reads, or reorders those of the others."""
    G = gl.generate.kronecker(8, kind=kind, seed=3)
    expected = gl.pagerank(G, tol=1e-6, dtype=dtype)
    monkeypatch.setattr(ReorderedDense, "values", property(lambda _: pytest.fail("reordered")))

    def run(member):
        H = member.distribute(G)
        with gl.trace() as trace:
            found = gl.pagerank(H, tol=1e-6, dtype=dtype)
        order = H.AT._gather_order()
        return found.rank.to_dense(), found.iterations, gathers(trace), order.counts.tolist()

    read = G.AT.reduce_columnwise(gb.monoid.any).new().nvals
    for rank, iterations, steps, counts in gl.ranks.in_process(ranks, run, engine="cuda"):
        np.testing.assert_allclose(rank, expected.rank.to_dense(), atol=1e-6)
        assert iterations == expected.iterations
        first = steps.index("gather order positions")
        assert steps[first - PRODUCTS + 1 : first] == ["mxv full"] * (PRODUCTS - 1)
        assert steps[first + 1 :] == ["mxv reordered"] * (iterations - PRODUCTS + 1)
        assert sum(counts) == read < G.n


@pytest.mark.parametrize("flip", [False, True], ids=["mxv", "vxm"])
@pytest.mark.parametrize("axis", [0, 1], ids=["rows", "columns"])
@pytest.mark.parametrize("name", ["plus_times", "min_plus", "plus_second", "plus_first"])
def test_products_equal_those_of_suitesparse(name, axis, flip):
    """Weights, both cuts and both sides: before the order is made, with it, and by a mask."""
    A, op = random_matrix(), getattr(gb.semiring, name)
    mask = full_vector(5).select("<", 0).new()

    def run(member):
        layout = layout_of(member)
        B, M, found = distributed(layout, A, axis), distributed(layout, mask), []
        for k in range(PRODUCTS + 2):
            v = distributed(layout, full_vector(k))
            product = v.vxm(B, op) if flip else B.mxv(v, op)
            found += [product.new(), product.new(mask=~M.S)]
        return [gl.cuda.to_graphblas(x.gathered()) for x in found]

    for found in gl.ranks.in_process(2, run, engine="cuda"):
        for k in range(PRODUCTS + 2):
            v = full_vector(k)
            product = v.vxm(A, op) if flip else A.mxv(v, op)
            assert_same(found[2 * k], product.new())
            assert_same(found[2 * k + 1], product.new(mask=~mask.S))


def multiply(change=None):
    """Return, for two ranks, products of a matrix and whether it has an order after each.

    `change` is called with the matrix before product PRODUCTS + 1.
    """

    def run(member):
        layout = layout_of(member)
        A, v, found = distributed(layout, random_matrix()), distributed(layout, full_vector()), []
        for k in range(2 * PRODUCTS):
            if change and k == PRODUCTS + 1:
                change(A)
            w = A.mxv(v, gb.semiring.plus_times).new()
            found.append((w.to_dense(0), A._gather_order() is not None))
        return found

    return gl.ranks.in_process(2, run, engine="cuda")


def test_a_changed_matrix_has_no_order():
    """Its columns may have other entries: the order is made again."""

    def change(A):
        A[3, 3] << 5.0

    A = random_matrix()
    before = A.mxv(full_vector()).new().to_dense(0)
    A[3, 3] = 5.0
    after = A.mxv(full_vector()).new().to_dense(0)
    for found in multiply(change):
        for k, (values, has_order) in enumerate(found):
            np.testing.assert_allclose(values, after if k > PRODUCTS else before)
            products = k - PRODUCTS if k > PRODUCTS else k + 1
            assert has_order == (products >= PRODUCTS - 1)


def test_products_without_slices_put_values_in_their_places():
    """The slices are dropped where memory is scarce; the order of the gathers is kept."""
    expected = random_matrix().mxv(full_vector()).new().to_dense(0)
    for found in multiply(lambda _: sliced_ell.clear()):
        for values, _ in found:
            np.testing.assert_allclose(values, expected)


def test_all_ranks_have_the_order_or_none(monkeypatch):
    """One rank whose products do not reorder values, or that has no memory, decides for all."""
    original = CUDABlocks.counts_to_order_columns
    calls = []

    def counts_but_once(blocks, A):
        calls.append(A)
        return None if len(calls) == 1 else original(blocks, A)

    monkeypatch.setattr(CUDABlocks, "counts_to_order_columns", counts_but_once)
    expected = random_matrix().mxv(full_vector()).new().to_dense(0)
    for found in multiply():
        for values, has_order in found:
            np.testing.assert_allclose(values, expected)
            assert not has_order
    assert len(calls) == 2  # once on each rank, not again at each product


def test_vectors_with_few_entries_are_gathered_as_before():
    """Lists and bitmaps have no order; one does not count them as full."""
    A = random_matrix()
    sparse = full_vector().select("<", 0).new()

    def run(member):
        layout = layout_of(member)
        B, v = distributed(layout, A), distributed(layout, sparse)
        for _ in range(2 * PRODUCTS):
            w = B.mxv(v, gb.semiring.plus_times).new()
        return w.to_dense(0), B._gather_order()

    for values, order in gl.ranks.in_process(2, run, engine="cuda"):
        np.testing.assert_allclose(values, A.mxv(sparse).new().to_dense(0))
        assert order is None


@pytest.mark.parametrize("inner", [10, 75, 140])
def test_vectors_that_are_cut_elsewhere(inner):
    """Their values are gathered as they are: the order is that of the matrix's cuts."""
    expected = random_matrix().mxv(full_vector()).new().to_dense(0)

    def run(member):
        A = distributed(layout_of(member), random_matrix())
        other = layout_of(member, {N: np.array([0, inner, N])})
        found = []
        for k in range(3 * PRODUCTS):
            layout = A.layout if k % 2 else other
            v = distributed(layout, full_vector())
            found.append(A.mxv(v, gb.semiring.plus_times).new().to_dense(0))
        return found

    for found in gl.ranks.in_process(2, run, engine="cuda"):
        for values in found:
            np.testing.assert_allclose(values, expected)


@pytest.mark.parametrize("step", ["counts_to_order_columns", "order_by_count", "set_column_order"])
def test_no_memory_on_one_rank(monkeypatch, step):
    """Values are gathered as they are, and the order is not tried again."""
    original, calls = getattr(CUDABlocks, step), []

    def fail_once(*arguments):
        calls.append(step)
        if len(calls) == 1:
            raise MemoryError("no memory for an order")
        return original(*arguments)

    monkeypatch.setattr(CUDABlocks, step, fail_once)
    expected = random_matrix().mxv(full_vector()).new().to_dense(0)
    for found in multiply():
        for values, has_order in found:
            np.testing.assert_allclose(values, expected)
            assert not has_order
    assert len(calls) <= 2


def test_matrices_that_share_a_block(monkeypatch):
    """A copy has an order of its own with the same columns: neither reorders what it gathers."""
    monkeypatch.setattr(ReorderedDense, "values", property(lambda _: pytest.fail("reordered")))
    expected = random_matrix().mxv(full_vector()).new().to_dense(0)

    def run(member):
        layout = layout_of(member)
        A, v = distributed(layout, random_matrix()), distributed(layout, full_vector())
        B, found = A.dup(), []
        for _ in range(2 * PRODUCTS):
            found += [M.mxv(v, gb.semiring.plus_times).new().to_dense(0) for M in (A, B)]
        return found, A._gather_order().whole is B._gather_order().whole

    for found, is_shared in gl.ranks.in_process(2, run, engine="cuda"):
        assert is_shared
        for values in found:
            np.testing.assert_allclose(values, expected)
