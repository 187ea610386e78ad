"""A Graph on engine "cuda": its properties, copies, texts, and what it refuses."""

from __future__ import annotations

import copy
import pickle

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla import cuda
from graphla.cuda import Scalar, Vector, from_graphblas, to_graphblas
from graphla.cuda.objects import matrix
from graphla.errors import EngineMismatch
from tests.cuda.random_updates import ALL, objects
from tests.every_graph import on_edge_cases
from tests.graphs import DTYPES, random_graph
from tests.strategies import examples, graphs, signed_weights

NUMBERS = ["n", "nedges", "nself_edges", "is_symmetric", "has_nan", "max_out_degree", "min_weight"]
NUMBERS += ["max_weight", "mean_weight", "dtype", "kind", "weighted"]
OBJECTS = ["A", "AT", "out_degree", "in_degree", "ranks"]


def check(G):
    """All properties are those of the same graph on the CPU, and on the device."""
    H = G.to("cuda")
    assert H.engine == "cuda"
    for name in NUMBERS:
        got, want = getattr(H, name), getattr(G, name)
        assert got == want or (got != got and want != want), name
        assert type(got) is type(want), name
    for name in OBJECTS:
        if name == "ranks" and (not G.is_symmetric or G.has_nan):
            continue
        x = getattr(H, name)
        assert isinstance(x, (cuda.Vector, cuda.Matrix)), name
        bitwise(to_graphblas(x), getattr(G, name))
    back = H.to("cpu")
    bitwise(back.A, G.A)
    assert (back.kind, back.dtype, back.engine) == (G.kind, G.dtype, "cpu")
    assert repr(H) == repr(G).replace("cpu", "cuda")
    assert H._repr_html_() == G._repr_html_().replace("cpu", "cuda")


def bitwise(x, y):
    """The same object to the last bit."""
    assert (x.dtype, x.shape) == (y.dtype, y.shape)
    for a, b in zip(x.to_coo(), y.to_coo(), strict=True):
        assert a.dtype == b.dtype
        assert a.tobytes() == b.tobytes()


test_edge_cases = on_edge_cases(check)


@pytest.mark.thorough
@given(graphs(weights=signed_weights))
@examples(20)
def test_drawn_graphs(G):
    check(G)


@pytest.mark.parametrize("dtype", [*DTYPES, None])
def test_dtypes(dtype):
    for kind in ("directed", "undirected"):
        check(random_graph(70, 200, kind=kind, dtype=dtype, high=100, seed=1))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_nan_and_signed_zeros(dtype):
    weight = np.array([np.nan, -0.0, np.inf, 1, -np.nan], dtype)
    check(gl.Graph.from_edges([0, 1, 2, 0, 3], [1, 2, 0, 3, 1], weight))
    only = gl.Graph.from_edges([0], [1], np.array([np.nan], dtype), kind="undirected")
    check(only)


def test_astype():
    G = random_graph(70, 300, kind="undirected", dtype="int32", seed=2)
    for dtype in ("BOOL", "INT8", "FP32", "UINT64"):
        H = G.to("cuda").astype(dtype)
        bitwise(H.to("cpu").A, G.astype(dtype).A)
        assert H.engine == "cuda"


def test_reversed():
    G = random_graph(70, 300, dtype="int32", seed=2)
    H = G.to("cuda").reversed()
    bitwise(H.to("cpu").A, G.reversed().A)
    bitwise(to_graphblas(H.out_degree), G.in_degree)
    U = G.reversed().to("cuda")
    bitwise(to_graphblas(U.A), G.AT)


def test_host_arrays_are_refused():
    H = random_graph(9, 20, kind="undirected", dtype="int32").to("cuda")
    for name in ("csr", "csr_transposed"):
        with pytest.raises(EngineMismatch, match=r"G\.to\('cpu'\)\.csr"):
            getattr(H, name)


def test_pickle_and_copy():
    G = random_graph(70, 300, dtype="float32", seed=2)
    H = G.to("cuda")
    H.cache("out_degree")
    for K in (pickle.loads(pickle.dumps(H)), copy.copy(H), copy.deepcopy(H)):
        assert K.engine == "cuda"
        bitwise(to_graphblas(K.A), G.A)
    assert copy.copy(H).A is H.A
    assert copy.deepcopy(H).A is not H.A


@given(data=st.data())
@examples(15)
@pytest.mark.parametrize("flat", [0, 64])
def test_objects_travel(flat, data):
    """To the host and back, pickled and copied, in every form and dtype."""
    matrix.FLAT_ROWS, before = flat, matrix.FLAT_ROWS
    try:
        size = st.integers(0, 30)
        shape = data.draw(st.one_of(st.tuples(size), st.tuples(size, size)))
        ours, theirs = data.draw(objects(shape, data.draw(st.sampled_from(ALL))))
        bitwise(to_graphblas(ours), theirs)
        bitwise(to_graphblas(from_graphblas(theirs)), theirs)
        bitwise(to_graphblas(pickle.loads(pickle.dumps(ours))), theirs)
        mine = copy.deepcopy(ours)
        ours.clear()
        bitwise(to_graphblas(mine), theirs)
    finally:
        matrix.FLAT_ROWS = before


@pytest.mark.parametrize("dtype", ALL)
def test_extreme_scalars_travel(dtype):
    t = gb.dtypes.lookup_dtype(dtype).np_type
    ends = [np.inf, np.nan, -0.0] if t.kind == "f" else [0, 1]
    ends += [np.iinfo(t).min, np.iinfo(t).max] if t.kind in "iu" else []
    for value in (*ends, None):
        s = Scalar(dtype, value)
        there = to_graphblas(s)
        assert there.dtype == s.dtype
        again = pickle.loads(pickle.dumps(s))
        for x in (there, from_graphblas(there), again):
            assert (x.value is None) == (value is None)
            if value is not None:
                assert t.type(x.value).tobytes() == t.type(value).tobytes()
    if t.kind in "iu":
        A = from_graphblas(gb.Matrix.from_coo([0, 1], [0, 1], np.full(2, np.iinfo(t).max, t)))
        B = cuda.Matrix(dtype, 99, 3)
        B << Scalar(dtype, np.iinfo(t).max)
        assert to_graphblas(A).get(1, 1) == to_graphblas(B).get(98, 2) == np.iinfo(t).max


def test_a_subclass_is_pickled_through_host_memory():
    class Ranking(Vector):
        __slots__ = ()

    v = Ranking("FP64", 8)
    v << Vector.from_coo([1, 4], [2.0, 3.0], size=8).apply("ainv")
    assert v.nvals == 2
    again = pickle.loads(pickle.dumps(v))
    assert type(again) is Vector
    assert again.isequal(v)
