"""Errors of one rank are raised on all; ranks that differ are found; values are equal bits."""

from __future__ import annotations

import re
from types import SimpleNamespace

import graphblas as gb
import numpy as np
import pytest

import graphla as gl
from graphla.errors import DivergedRanks, InvalidValue, RankFailure, RemoteError
from graphla.ranks import Vector, in_process
from graphla.ranks.collectives import communicator as communicators
from graphla.ranks.collectives.communicator import EncodedColumns
from tests.graphs import random_graph
from tests.ranks.distributed_objects import check_exchange, layout_of


class Unpicklable(Exception):
    def __reduce__(self):
        raise TypeError("not this one")


def errors_of(ranks, function):
    """Return the error that each rank raised."""

    def run(member):
        with pytest.raises(BaseException) as caught:
            function(member)
        return caught.value

    return in_process(ranks, run)


def fail(error):
    raise error


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_error_of_one_rank_is_raised_on_all(failing):
    def run(member):
        def work():
            if member.rank == failing:
                raise MemoryError("no room for the block")

        member.communicator.guarded("statement", work)
        member.communicator.sum("nvals", 1)

    for rank, error in enumerate(errors_of(3, run)):
        assert type(error) is MemoryError
        assert str(error) == "no room for the block"
        assert getattr(error, "__notes__", []) == (
            [] if rank == failing else [f"raised on rank {failing} of 3"]
        )


def test_error_in_a_statement_of_an_algorithm(monkeypatch):
    """A block that does not fit on rank 1 ends pagerank on all ranks, with the same error."""
    G = random_graph(30, 90)
    outcome = []

    def run(member):
        H = member.distribute(G)
        if member.rank == 1:
            monkeypatch.setattr(
                type(H.A.T), "local", lambda *_: fail(MemoryError("no room for the block"))
            )
        with pytest.raises(MemoryError, match="no room"):
            gl.pagerank(H)
        outcome.append(member.rank)

    in_process(3, run)
    assert sorted(outcome) == [0, 1, 2]


MOVING_CALLS = {
    "exchange": lambda c: c.exchange("move", [1] * c.size, [np.zeros(c.size)]),
    "gather_arrays": lambda c: c.gather_arrays("move", 1, lambda _: (np.zeros(2), "list")),
    "gather_columns": lambda c: c.gather_columns(
        "move", 1, lambda counts: EncodedColumns([np.zeros(1)], [counts], "list")
    ),
}


@pytest.mark.parametrize("name", MOVING_CALLS)
def test_no_memory_for_what_arrives(name, monkeypatch):
    """All ranks raise the error of the one without memory, and the next call works."""
    monkeypatch.setattr(communicators, "MANY_ELEMENTS", 1)

    def run(member):
        communicator = member.communicator
        blocks = communicator.blocks
        if member.rank == 1:
            no_memory = SimpleNamespace(
                empty=lambda *_: fail(MemoryError("no room")),
                ascontiguousarray=np.ascontiguousarray,
            )
            communicator.blocks = SimpleNamespace(xp=no_memory, name=blocks.name)
        with pytest.raises(MemoryError, match="no room"):
            MOVING_CALLS[name](communicator)
        communicator.blocks = blocks
        MOVING_CALLS[name](communicator)
        return communicator.sum("nvals", 1)

    assert in_process(3, run) == [3] * 3


@pytest.mark.parametrize("read", ["to_dense", "to_coo"])
def test_no_memory_to_read_all(read, monkeypatch):
    """All ranks raise if one of them has no memory for the array of all entries."""
    gathered, tried = Vector.gathered, []

    def failing_once(v):
        found = gathered(v)
        if v.layout.communicator.rank == 1 and not tried:
            tried.append(read)
            return SimpleNamespace(**{read: lambda *_, **__: fail(MemoryError("no room"))})
        return found

    monkeypatch.setattr(Vector, "gathered", failing_once)

    def run(member):
        v = member.distribute(random_graph(30, 90)).out_degree
        with pytest.raises(MemoryError, match="no room"):
            getattr(v, read)()
        return member.communicator.sum("nvals", 1), len(v.to_dense())

    assert in_process(2, run) == [(2, 30)] * 2


def test_what_one_rank_cannot_derive_no_rank_keeps():
    """The ranks would make different calls later, if some of them had it."""

    def run(member):
        A, tried = member.distribute(random_graph(30, 90)).A, []

        def derived(_):
            member.communicator.sum("before", 1)
            tried.append(member.rank)
            if member.rank == 1 and len(tried) == 1:
                fail(MemoryError("no room"))
            return member.rank

        with pytest.raises(MemoryError, match="no room"):
            A.derive(derived)
        return A.derive(derived), A.derive(derived), len(tried)

    assert in_process(3, run) == [(rank, rank, 2) for rank in range(3)]


def test_error_that_cannot_be_sent():
    def run(member):
        work = (lambda: fail(Unpicklable("x"))) if member.rank == 1 else (lambda: None)
        member.communicator.guarded("statement", work)
        member.communicator.sum("nvals", 1)

    kinds = [type(error) for error in errors_of(2, run)]
    assert kinds == [RemoteError, Unpicklable]


def test_refusal_is_raised_on_all():
    def run(member):
        gl.bfs(member.distribute(random_graph(5, 9)), 7)

    assert [type(e).__name__ for e in errors_of(3, run)] == ["InvalidIndex"] * 3


def test_different_calls_are_found():
    def run(member):
        v = Vector(layout_of(member), "INT64", 4)
        if member.rank == 1:
            v.reduce().new()
        else:
            v.nvals

    for error in errors_of(2, run):
        assert type(error) is DivergedRanks
        assert "rank 0: nvals" in str(error)
        assert "rank 1: reduce" in str(error)


STATEMENTS = {
    "fill (4,)": lambda v: v << 3,
    "clear": lambda v: v.clear(),
    "store": lambda v: v.store("full"),
    "dup": lambda v: v.dup(),
    "build": lambda v: v.build([3], [1]),
    "apply ainv (4,)": lambda v: v << v.apply("ainv"),
    "ewise_mult plus (4,)": lambda v: v << v.ewise_mult(v, "plus"),
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_different_statements_are_found_if_asked_for(name):
    def run(member):
        v = Vector(layout_of(member), "INT64", 4)
        if member.rank == 1:
            STATEMENTS[name](v)
        return v.nvals

    first, second = in_process(2, run)
    assert first == second
    with pytest.raises(DivergedRanks, match=f"rank 1: nvals after {re.escape(name)}"):
        in_process(2, run, check_calls=True)


def test_different_operators_are_found_if_asked_for():
    def run(member):
        v = Vector(layout_of(member), "INT64", 4)
        v << v.apply("abs" if member.rank else "ainv")
        return v.nvals

    with pytest.raises(
        DivergedRanks, match=r"apply ainv \(4,\), nvals; rank 1: nvals after apply abs"
    ):
        in_process(2, run, check_calls=True)


@pytest.mark.parametrize("size", [0, -1])
def test_no_ranks(size):
    with pytest.raises(InvalidValue, match=f"size={size}"):
        in_process(size, layout_of)


def test_statements_are_forgotten_after_an_error_of_all():
    def run(member):
        communicator = member.communicator

        def work():
            if member.rank == 1:
                raise InvalidValue("mine")

        def statements():
            communicator.guarded("fill", work)
            communicator.sum("nvals", 1)

        with pytest.raises(InvalidValue, match="mine"):
            statements()
        return communicator.sum("nvals", 1)

    assert in_process(2, run, check_calls=True) == [2, 2]


def test_rank_that_ends_before_the_others():
    def run(member):
        if member.rank == 1:
            raise InvalidValue("mine")
        member.communicator.sum("nvals", 1)

    with pytest.raises(InvalidValue, match="mine"):
        in_process(3, run)

    def leave(member):
        return None if member.rank == 1 else member.communicator.sum("nvals", 1)

    with pytest.raises(RankFailure, match="rank 1 of 3 has ended"):
        in_process(3, leave)


def test_sums_are_equal_bits():
    """Each rank adds the parts in the order of the ranks."""
    rng = np.random.default_rng(0)
    values = rng.random(1000) * 10.0 ** rng.integers(-9, 9, 1000)

    def run(member):
        v = Vector(layout_of(member), "FP64", 1000).from_dense(values)
        return v.reduce(gb.monoid.plus).new().value

    found = in_process(4, run)
    assert len(set(found)) == 1
    assert found[0] == pytest.approx(values.sum(), rel=1e-12)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "float64"])
def test_values_of_every_width(dtype):
    top = (
        True if dtype == "bool" else np.finfo(dtype).max if dtype[0] == "f" else np.iinfo(dtype).max
    )
    value = np.dtype(dtype).type(top)
    found = in_process(
        3, lambda m: m.communicator.gather_values("value", value if m.rank != 1 else None)
    )
    for values in found:
        assert values.tolist() == [value, value]
        assert values.dtype == value.dtype


def test_no_values():
    found = in_process(2, lambda m: m.communicator.gather_values("value", None))
    assert [values.size for values in found] == [0, 0]


def test_broadcast():
    found = in_process(3, lambda m: m.communicator.broadcast("facts", {"of": m.rank}, root=1))
    assert found == [{"of": 1}] * 3


@pytest.mark.parametrize("bits", [63, 8])  # of a word of counts: 8 are too few for some of them
@pytest.mark.parametrize("size", [1, 2, 3, 6])
def test_exchange(size, bits, monkeypatch):
    monkeypatch.setattr(communicators, "COUNT_BITS", bits)
    in_process(size, lambda member: check_exchange(member.communicator))


def test_exchange_is_recorded():
    """Three entries of 12 bytes come from the other rank."""

    def run(member):
        with gl.trace() as steps:
            columns = [np.arange(8), np.arange(8, dtype=np.int32)]
            member.communicator.exchange("exchange", [5, 3] if member.rank else [1, 7], columns)
        return [(s.operation, s.kernel, s.nnz_in, s.nnz_out, s.nbytes) for s in steps]

    assert in_process(2, run) == [
        [("alltoall", "exchange", (8,), 6, 5 * 12)],
        [("alltoall", "exchange", (8,), 10, 7 * 12)],
    ]
