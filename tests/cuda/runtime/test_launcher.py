"""A launch: each argument as the kernel reads it, in any thread, on the current stream."""

from __future__ import annotations

import ctypes
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest

from graphla.cuda import Matrix, Vector
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.launcher import Grid, Launcher
from graphla.errors import DomainMismatch

THREADS = 8


class Array:
    """What a launcher sees of an array of the device."""

    def __init__(self, ptr):
        self.data = self
        self.ptr = ptr


class Driver:
    """Reads the arguments of a launch as a kernel with such parameters does."""

    def __init__(self, *types):
        self.types, self.calls = types, []

    def __call__(self, blocks, block, shared, stream, at):
        pointers = (ctypes.c_void_p * len(self.types)).from_address(at)
        found = [t.from_address(p).value for t, p in zip(self.types, pointers, strict=True)]
        self.calls.append((blocks, block, shared, stream, *found))

    def launcher(self, stream=lambda: 7):
        return Launcher(self, lambda threads, block, shared: -(-threads // block), stream, Array)


SCALARS = [
    *(np.bool_(True), np.int8(-3), np.uint8(200), np.int16(-300), np.uint16(60000)),
    *(np.int32(-(2**31)), np.uint32(2**32 - 1), np.int64(-(2**63)), np.uint64(2**64 - 1)),
    *(np.float32(0.1), np.float64(0.1), np.float32(-0.0), np.float64(np.inf)),
]


@pytest.mark.parametrize("x", SCALARS, ids=lambda x: f"{x.dtype} {x}")
def test_a_scalar_of_each_dtype(x):
    """Between two words, which it leaves as they are."""
    c_type = np.ctypeslib.as_ctypes_type(x.dtype)
    driver = Driver(ctypes.c_int64, c_type, ctypes.c_uint64)
    launch = driver.launcher()
    for _ in range(2):
        launch(1, 256, 0, (-1, x, Array(2**47)))
    for blocks, block, shared, stream, before, found, after in driver.calls:
        assert (blocks, block, shared, stream) == (1, 256, 0, 7)
        assert (before, after) == (-1, 2**47)
        assert x.dtype.type(found).tobytes() == x.tobytes()


def test_arrays_numbers_and_none():
    driver = Driver(*3 * [ctypes.c_uint64], ctypes.c_int64)
    launch = driver.launcher()
    launch(1000, 256, 64, (Array(0), None, Array(1 << 40), 5))
    launch(0, 128, 0, (None, Array(8), Array(16), -5))
    assert driver.calls == [(4, 256, 64, 7, 0, 0, 1 << 40, 5), (0, 128, 0, 7, 0, 8, 16, -5)]


def test_other_types_than_before():
    """A parameter may get a null pointer or array after a number, or a wider number."""
    driver = Driver(ctypes.c_int64)
    launch = driver.launcher()
    for x in (np.int32(1), 2**40, None, Array(9)):
        launch(1, 1, 0, (x,))
    assert [found for *_, found in driver.calls] == [1, 2**40, 0, 9]
    driver.types = (ctypes.c_double,)
    launch(1, 1, 0, (np.float64(0.5),))
    assert driver.calls[-1][-1] == 0.5


def test_no_arguments():
    driver = Driver()
    driver.launcher()(1, 1, 0, ())
    assert driver.calls == [(1, 1, 0, 7)]


@pytest.mark.parametrize("x", ["a", 1.5, [1], np.complex64(1), np.empty(1)], ids=repr)
def test_what_no_kernel_takes_is_refused(x):
    driver = Driver(ctypes.c_int64)
    with pytest.raises(DomainMismatch, match="a kernel takes no"):
        driver.launcher()(1, 1, 0, (x,))
    assert not driver.calls


def test_the_current_stream_is_read_at_each_launch():
    streams = iter([3, 0])
    driver = Driver()
    launch = driver.launcher(lambda: next(streams))
    launch(1, 1, 0, ())
    launch(1, 1, 0, ())
    assert [call[3] for call in driver.calls] == [3, 0]


def test_an_error_of_the_launch_is_raised_and_the_next_works():
    class Failure(Exception):
        pass

    def call(*args):
        raise Failure

    driver = Driver(ctypes.c_int64)
    launch = driver.launcher()
    launch.call = call
    with pytest.raises(Failure):
        launch(1, 1, 0, (1,))
    launch.call = driver
    launch(1, 1, 0, (2,))
    assert driver.calls[-1][-1] == 2


def test_many_threads_launch_one_kernel():
    """No launch reads the arguments of another while all of them are inside the driver."""
    driver = Driver(ctypes.c_int64, ctypes.c_int64)
    together = Barrier(THREADS)

    def call(blocks, block, shared, stream, at):
        together.wait()
        driver(blocks, block, shared, stream, at)

    launch = driver.launcher()
    launch.call = call

    def work(k):
        for j in range(50):
            launch(1, 1, 0, (k, 100 * k + j))

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(work, range(THREADS)))
    want = sorted((k, 100 * k + j) for k in range(THREADS) for j in range(50))
    assert sorted(call[-2:] for call in driver.calls) == want
    assert len(launch.free) == THREADS


@pytest.mark.gpu
def test_a_launch_as_the_first_cuda_call_of_a_thread():
    """A thread's first CUDA call may launch a kernel that was compiled by another."""
    A, w = Matrix.from_coo(np.arange(9), np.arange(9), 2.0), Vector("FP64", 9)
    u = Vector.from_dense(np.ones(9))
    product = A.mxv(u)
    w << 0.0
    for _ in range(3):
        w << product
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: w << product).result()
    device.synchronise()
    assert w.get(3) == 2.0


@pytest.mark.gpu
def test_an_error_of_the_driver_is_raised():
    from cupy_backends.cuda.api.driver import CUDADriverError

    text = (Path(__file__).parents[3] / "benchmarks" / "nothing.cu").read_text()
    run = device.active.compile(text, "nothing", False)
    with pytest.raises(CUDADriverError):
        run(1, 4096, 0, ())
    run(1, 32, 0, ())
    device.synchronise()


def test_the_limit_of_shared_memory_is_never_lowered():
    """A launch with less shared memory does not lower the limit of the next."""
    here = {
        "multiProcessorCount": 4,
        "maxThreadsPerMultiProcessor": 2048,
        "sharedMemPerMultiprocessor": 228 << 10,
    }
    allowed = [48 << 10]
    grid = Grid(here, allowed.append)
    for shared in (100 << 10, 64 << 10, 0, 100 << 10, 200 << 10, 150 << 10, 200 << 10):
        assert grid(1 << 20, 256, shared) == 4 * min(8, (228 << 10) // (shared + 1024))
        assert allowed[-1] >= shared
    assert (grid(0, 256, 0), grid(257, 256, 0)) == (1, 2)
