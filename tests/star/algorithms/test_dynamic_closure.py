"""The dynamic closure: after every update it equals the closure computed from scratch."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from graphla.errors import DimensionMismatch, DomainMismatch, InvalidIndex, InvalidValue
from graphla.star import Slice, Table
from graphla.star.algorithms import AcyclicClosure
from tests.star.algorithms.test_warshall import closed


def check(C, A, every=1):
    R = closed(A)
    assert (C.arcs.to_numpy() == A).all()
    assert (C.closure.to_numpy() == R).all()
    for i, j in [*np.ndindex(A.shape)][::every]:
        path = C.path(i + 1, j + 1)
        assert (path is not None) == R[i, j]
        if path:
            assert (path[0], path[-1]) == (i + 1, j + 1)
            assert all(A[u - 1, v - 1] for u, v in pairwise(path))


@pytest.mark.thorough
@pytest.mark.parametrize("n", [4, 12])
@pytest.mark.parametrize("seed", [1, 2])
def test_random_updates(engine, n, seed):
    rng = np.random.default_rng([n, seed])
    A = np.zeros((n, n), bool)
    C = AcyclicClosure(Table(n, n, engine=engine))
    inserted = deleted = cycles = 0
    for _ in range(200 if engine == "cpu" else 100):
        i, j = rng.integers(0, n, 2).tolist()
        if A[i, j] or (A.any() and rng.random() < 0.4):
            arcs = np.argwhere(A)
            i, j = arcs[rng.integers(len(arcs))].tolist() if not A[i, j] else (i, j)
            C.delete_arc(i + 1, j + 1)
            A[i, j] = False
            deleted += 1
        elif i == j or closed(A)[j, i]:
            with pytest.raises(InvalidValue, match=f"{i + 1} -> {j + 1} closes a cycle"):
                C.insert_arc(i + 1, j + 1)
            cycles += 1
        else:
            C.insert_arc(i + 1, j + 1)
            A[i, j] = True
            inserted += 1
        check(C, A)
    assert min(inserted, deleted, cycles) > 0


@pytest.mark.parametrize("seed", range(3))
def test_a_dense_graph_is_taken_apart(seed):
    n = 14
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    A = np.triu(rng.random((n, n)) < 0.5, 1)[np.ix_(order, order)]
    C = AcyclicClosure(Table.from_numpy(A))
    check(C, A)
    for i, j in rng.permutation(np.argwhere(A)).tolist():
        C.delete_arc(i + 1, j + 1)
        A[i, j] = False
        check(C, A)


@pytest.mark.thorough
def test_more_than_a_word(engine):
    n = 70
    rng = np.random.default_rng(9)
    A = np.triu(rng.random((n, n)) < 0.06, 1)
    C = AcyclicClosure(Table.from_numpy(A, engine=engine))
    check(C, A)
    for step in range(30 if engine == "cpu" else 6):
        arcs = np.argwhere(np.triu(~A, 1) if step % 3 == 0 else A)
        i, j = arcs[rng.integers(len(arcs))].tolist()
        (C.delete_arc if A[i, j] else C.insert_arc)(i + 1, j + 1)
        A[i, j] = not A[i, j]
        check(C, A, every=17)


def test_updates_that_do_not_apply():
    C = AcyclicClosure(Table.from_numpy([[0, 1, 0], [0, 0, 1], [0, 0, 0]]))
    before = C.closure.to_numpy()
    for call, message in (
        (lambda: C.insert_arc(1, 2), "there is an arc 1 -> 2 already"),
        (lambda: C.insert_arc(3, 1), "the arc 3 -> 1 closes a cycle"),
        (lambda: C.delete_arc(1, 3), "there is no arc 1 -> 3"),
    ):
        with pytest.raises(InvalidValue, match=message):
            call()
    with pytest.raises(InvalidIndex, match=r"vertex 4 is out of range 1\.\.3"):
        C.insert_arc(1, 4)
    assert (C.closure.to_numpy() == before).all()
    with pytest.raises(InvalidValue, match="closes a cycle"):
        AcyclicClosure(Table.from_numpy([[0, 1], [1, 0]]))
    with pytest.raises(DimensionMismatch, match="is square, not 2 x 3"):
        AcyclicClosure(Table(2, 3))
    with pytest.raises(DomainMismatch, match="expected a Table, not Slice"):
        AcyclicClosure(Slice(2))
