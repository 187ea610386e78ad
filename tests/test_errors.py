"""The exceptions: their classes and texts, and that they survive pickling between processes."""

from __future__ import annotations

import inspect
import pickle

import pytest

from graphla import errors

OWN = [c for _, c in inspect.getmembers(errors, inspect.isclass) if c.__module__ == errors.__name__]
TELLING = (
    *(errors.ReadError, errors.ConvergenceFailure, errors.OutOfDeviceMemory),
    errors.RankLost,
)
PLAIN = [c for c in OWN if c not in TELLING]


@pytest.mark.parametrize("kind", PLAIN, ids=lambda c: c.__name__)
def test_plain_errors(kind):
    assert issubclass(kind, (errors.GraphlaError, Warning))
    again = pickle.loads(pickle.dumps(kind("what is wrong")))
    assert type(again) is kind
    assert str(again) == "what is wrong"


def test_lost_rank():
    again = pickle.loads(pickle.dumps(errors.RankLost(3, "node7", "pagerank, mxv")))
    assert (again.rank, again.host, again.step) == (3, "node7", "pagerank, mxv")
    assert str(again) == "rank 3 on node7 has ended; it was in: pagerank, mxv"


def test_notes_are_kept():
    error = errors.OutOfMemory("too large")
    error.add_note("raised on rank 1 of 2")
    assert pickle.loads(pickle.dumps(error)).__notes__ == ["raised on rank 1 of 2"]


def test_pickling_as_dask_does_it():
    support = pytest.importorskip("tblib.pickling_support")
    for kind in PLAIN:
        function, arguments, *_ = support.pickle_exception(kind("what is wrong"))
        again = function(*arguments)
        assert type(again) is kind
        assert str(again) == "what is wrong"


def test_read_error():
    again = pickle.loads(pickle.dumps(errors.ReadError("a.mtx", 3, "expected a number")))
    assert isinstance(again, OSError)
    assert (again.path, again.line, again.expected) == ("a.mtx", 3, "expected a number")
    assert str(again) == "a.mtx:3: expected a number"
    assert str(errors.ReadError("a.npz", None, "cut")) == "a.npz: cut"


def test_convergence_failure():
    failure = errors.ConvergenceFailure("slow", iterations=3, residual=0.5, result=[1.0])
    again = pickle.loads(pickle.dumps(failure))
    assert (again.iterations, again.residual, again.result) == (3, 0.5, [1.0])
    assert str(again) == "slow"


def test_out_of_device_memory_keeps_what_it_knows():
    error = errors.OutOfDeviceMemory("a Vector", needed=80, free=7)
    for e in (error, pickle.loads(pickle.dumps(error))):
        assert isinstance(e, MemoryError)
        assert (e.needed, e.free) == (80, 7)
        assert str(e) == "a Vector takes 80 bytes of device memory; 7 are free"


@pytest.mark.parametrize(
    ("needed", "text"),
    [
        (80, "a Vector: could not allocate 80 bytes of device memory; 7,000 are free"),
        (0, "a Vector: the device has not enough memory; 7,000 bytes are free"),
    ],
)
def test_out_of_device_memory_without_the_total(needed, text):
    error = errors.OutOfDeviceMemory("a Vector", needed=needed, free=7000, is_total=False)
    for e in (error, pickle.loads(pickle.dumps(error))):
        assert (e.needed, e.free, e.is_total) == (needed, 7000, False)
        assert str(e) == text
