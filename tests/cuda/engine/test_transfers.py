"""Nothing crosses to the host but a word where an algorithm needs one."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest

import graphla as gl
from graphla.cuda import Vector
from graphla.cuda.runtime.device import device
from graphla.cuda.storage import csr, sliced_ell
from tests.cuda.callers.test_algorithms import ALGORITHMS, SYMMETRIC, call
from tests.cuda.strict_simulator import Crossing, StrictSimulator
from tests.graphs import edge_cases, random_graph


@pytest.fixture
def strict(monkeypatch):
    found = StrictSimulator()
    monkeypatch.setattr(device, "active", found)
    return found


def test_a_crossing_is_seen(strict):
    x = device.xp.arange(3)
    for cross in (bool, int, list, lambda x: x + np.arange(3)):
        with pytest.raises(Crossing):
            cross(x)
    assert device.read_scalar(x[2]) == 2
    assert x.max().item() == 2
    assert strict.reads == 2


@pytest.mark.thorough
@pytest.mark.parametrize("name", ALGORITHMS)
def test_algorithms(strict, name):
    """They read words alone, and fewer than a few a vertex."""
    graphs = [random_graph(200, 900, kind="undirected", dtype="int32", seed=1)]
    graphs += [edge_cases("undirected")[shape] for shape in ("no edges", "loops", "star")]
    if name not in SYMMETRIC:
        graphs.append(random_graph(150, 300, seed=2))
    for G in graphs:
        H = G.to("cuda")
        call(name, H)


@pytest.mark.parametrize("gain", [0.0, 99.0], ids=["renumbered", "in order"])
def test_slices_read_words_while_they_are_made(strict, monkeypatch, gain):
    sizes = {
        "MIN_ENTRIES": 1,
        "MIN_SHARE": 0.0,
        "MIN_SKEW": 0.0,
        "BREAK_EVEN": 1,
        "RELABEL_GAIN": gain,
        "PART": 300,
    }
    for name, value in sizes.items():
        monkeypatch.setattr(sliced_ell, name, value)
    monkeypatch.setattr(sliced_ell, "MAX_BLOCK_COLUMNS", 16)
    A = random_graph(200, 900, dtype="int32", seed=1).to("cuda").A
    u, w = Vector("INT32", 200), Vector("INT32", 200)
    u << 1
    product = A.mxv(u, gb.semiring.min_plus)
    w << product
    assert any(isinstance(x, sliced_ell.SlicedForm) for x in A._csr()._sliced.forms.values())
    strict.reads = strict.copies = 0
    w << product
    assert (strict.reads, strict.copies) == (0, 0)


def test_a_transpose_in_parts_copies_one_array(strict, monkeypatch):
    """It has the first column of each part; the count of a part's entries is a word."""
    monkeypatch.setattr(csr, "PART", 100)
    A = random_graph(200, 900, dtype="int32", seed=1).to("cuda").A
    strict.reads = strict.copies = 0
    A.T.new()
    assert strict.copies == 1
    assert 0 < strict.reads <= A.nvals // 100 + 1


@pytest.mark.parametrize("name", ["bfs", "bfs_levels"])
@pytest.mark.parametrize("n", [50, 100])
def test_words_of_a_level(strict, name, n):
    """A constant number of words, however many levels one kernel runs."""
    H = gl.generate.path(n).to("cuda").cache("AT", "out_degree", "in_degree", "max_out_degree")
    strict.reads = strict.copies = 0
    getattr(gl, name)(H, 0)
    assert strict.reads <= 4
    assert strict.copies == 0


def test_updates_read_nothing(strict):
    """Element by element, with a mask, an accumulator and a scalar."""
    u, v = (Vector.from_dense(device.xp.arange(40.0)) for _ in range(2))
    m = Vector.from_coo([1, 2, 5], [True, False, True], size=40)
    strict.reads = strict.copies = 0
    for out in (u, Vector("FP64", 40)):
        out << u.ewise_add(v, "plus")
        out(m.V, gb.binary.plus) << u.apply("times", right=2)
        out(~m.S, replace=True) << v.select(">", 3)
        out(m.S) << 7
    assert (strict.reads, strict.copies) == (0, 0)
