"""Ranks that are threads, and arrays of host memory with the pointers of device memory."""

from __future__ import annotations

import ctypes
import threading
from functools import partial

import numpy as np

SECONDS = 10  # after which threads that wait for each other fail


class Memory:
    """A pointer, as CuPy has it."""

    def __init__(self, ptr):
        self.ptr = ptr

    def copy_from_device_async(self, source, nbytes, stream=None):
        work = partial(ctypes.memmove, self.ptr, source.ptr, nbytes)
        stream.add(work) if stream else work()


class DeviceArray(np.ndarray):
    data = property(lambda self: Memory(self.ctypes.data))


class ArrayModule:
    """The functions of NumPy, with arrays that have a pointer."""

    def __getattr__(self, name):
        return lambda *args: getattr(np, name)(*args).view(DeviceArray)


class Meeting:
    """Where the threads of all ranks leave a value and get those of all."""

    def __init__(self, size):
        self.size, self.values = size, [None] * size
        self.barrier = threading.Barrier(size, timeout=SECONDS)

    def exchange(self, rank, value):
        self.values[rank] = value
        self.barrier.wait()
        found = list(self.values)
        self.barrier.wait()
        return found


def on_threads(size, function):
    """Run function(meeting, rank) on threads; return the results, or raise an error of one."""
    meeting, results, errors = Meeting(size), [None] * size, []

    def run(rank):
        try:
            results[rank] = function(meeting, rank)
        except BaseException as error:
            meeting.barrier.abort()
            errors.append(error)

    threads = [threading.Thread(target=run, args=(rank,), daemon=True) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results
