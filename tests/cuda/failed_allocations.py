"""Failure injection: device memory ends at one allocation of a call, then at the next, and so on.

`check` runs a call once for each of its allocations. Allocation `k` raises what CuPy raises out of
memory, and then:

- the call raises OutOfDeviceMemory, or it does without that buffer and has the right result;
- inputs, outputs and what is cached with a graph are those of before, or of a whole call;
- the same call, made again, has the right result (checked after REPEATED failures);
- no byte stays allocated: neither while the objects live, beyond what the call leaves behind
  without a failure, nor after they are deleted.

On a GPU the allocator of CuPy is replaced, and the pool has the bytes. Without one, arrays of
NumPy are counted that allocate where arrays of CuPy do.
"""

from __future__ import annotations

import gc
import sys
import weakref
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from graphla import cuda
from graphla.core.properties import CACHEABLE
from graphla.cuda.memory import buffer_pool
from graphla.cuda.runtime.device import device
from graphla.errors import OutOfDeviceMemory
from tests.cuda.simulator import Exhausted, Simulator, poisoned

COPIES = ("array", "asarray", "asanyarray", "ascontiguousarray")
MANY = 300  # allocations of a call, of which not all are chosen
ZEROED_AT_ONCE = 64  # words of a new pool: each is a counted array, and each failure drops all
REPEATED = 24  # failures, of all of a call, after which the call is made again
TREES = {"parent", "predecessor"}  # each run may return another of several right trees


class Allocations:
    """Counts allocations; the one with the number `fails_at` raises, and all after it if `last`."""

    def __init__(self):
        self.count, self.fails_at, self.last = 0, None, False
        self.stacks = None  # of the allocations, if they are recorded

    def check(self, nbytes):
        """Count an allocation; raise if it must fail. None of 0 bytes does on a device."""
        if not nbytes:
            return
        number, at = self.count, self.fails_at
        self.count += 1
        if self.stacks is not None:
            self.stacks.append(stack())
        if at is not None and (number == at or (self.last and number > at)):
            raise self.error(nbytes)

    @contextmanager
    def recorded(self):
        """Yield the list of the stacks of the allocations of the block."""
        self.stacks = stacks = []
        try:
            yield stacks
        finally:
            self.stacks = None

    @contextmanager
    def failing(self, number, last=False):
        """Let one allocation fail, or, if `last`, all from that one on."""
        self.count, self.fails_at, self.last = 0, number, last
        try:
            yield
        finally:
            self.fails_at = None


def stack():
    """Return the lines of Python that are being run, as one number."""
    frame, lines = sys._getframe(2), []
    while frame is not None:
        lines.append((frame.f_code, frame.f_lineno))
        frame = frame.f_back
    return hash(tuple(lines))


# ---- on a GPU


class DeviceAllocations(Allocations):
    """Allocations of CuPy's pool."""

    def error(self, nbytes):
        memory = device.xp.cuda.memory
        return memory.OutOfMemoryError(nbytes, self.used)

    def allocate(self, nbytes):
        self.check(nbytes)
        return self.pool.malloc(nbytes)

    @property
    def used(self):
        return self.pool.used_bytes()

    @contextmanager
    def counted(self):
        """Count the allocations of the block."""
        cupy = device.xp
        self.pool = cupy.get_default_memory_pool()
        cupy.cuda.set_allocator(self.allocate)
        try:
            yield self
        finally:
            cupy.cuda.set_allocator(self.pool.malloc)


# ---- without one


class CountedArray(np.ndarray):
    """An array whose results are arrays too: reductions and copies allocate, views do not."""

    def __array_finalize__(self, source):
        if isinstance(device.active, CountingSimulator):
            device.active.allocations.see(self)


class CountedArrays:
    """The functions of NumPy, with counted arrays as results."""

    def __getattr__(self, name):
        attribute = getattr(np, name)
        if isinstance(attribute, type) or not callable(attribute):
            return attribute

        def function(*args, **options):
            found = attribute(*args, **options)
            if name in COPIES and type(found) is np.ndarray:
                found = found.copy()  # from the host
            return counted(found)

        return function

    def empty(self, shape, dtype=float):
        return poisoned(counted(np.empty(shape, dtype)))

    def empty_like(self, x):
        return self.empty(x.shape, x.dtype)


def counted(x):
    """Return arrays as counted ones."""
    if isinstance(x, tuple):
        return tuple(map(counted, x))
    return x.view(CountedArray) if isinstance(x, np.ndarray) else x


class SimulatedAllocations(Allocations):
    """Memory of counted arrays, each as long as it is referred to."""

    def __init__(self):
        super().__init__()
        self.used, self.owners = 0, {}

    def error(self, nbytes):
        error = Exhausted("out of memory")
        error._size = nbytes
        return error

    def see(self, array):
        """Count the memory of an array unless it is that of another one."""
        while isinstance(array.base, np.ndarray):
            array = array.base
        key, nbytes = id(array), array.nbytes
        if key in self.owners:
            return
        self.check(nbytes)

        def released(_):
            del self.owners[key]
            self.used -= nbytes

        self.owners[key] = weakref.ref(array, released)
        self.used += nbytes


class CountingSimulator(Simulator):
    """A simulator of counted arrays."""

    def __init__(self):
        super().__init__()
        self.xp, self.allocations = CountedArrays(), SimulatedAllocations()

    def host_array(self, size, dtype):
        return np.empty(size, dtype)

    def to_host(self, x):
        return np.array(x)

    def usage(self):
        return super().usage()._replace(used=self.allocations.used)


@contextmanager
def counting():
    """Count the allocations of the block; the simulator in use is replaced by one that counts."""
    before = device.active
    if not isinstance(before, Simulator):
        with DeviceAllocations().counted() as found:
            yield found
        return
    device.active, words = CountingSimulator(), buffer_pool.ZEROED_AT_ONCE
    buffer_pool.ZEROED_AT_ONCE = ZEROED_AT_ONCE
    try:
        yield device.active.allocations
    finally:
        cuda.clear_workspaces()
        device.active, buffer_pool.ZEROED_AT_ONCE = before, words


# ---- values that must not change


class Array(NamedTuple):
    """An array in host memory, which compares bitwise."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes


def content(x):
    """Return the values of objects, results and graphs, on the host, to be compared bitwise."""
    if hasattr(x, "cached"):
        kept = {name: content(value) for name, value in vars(x).items() if name in CACHEABLE}
        return {"A": content(x.A), **kept}
    if hasattr(x, "_fields"):
        return {name: content(value) for name, value in x._asdict().items()}
    if isinstance(x, dict):
        return {name: content(value) for name, value in x.items()}
    if isinstance(x, (tuple, list)):
        return [content(y) for y in x]
    if hasattr(x, "_store") and hasattr(x, "to_coo"):
        return [x.dtype.name, x.shape, *map(content, x.to_coo())]
    if hasattr(x, "dtype") and hasattr(x, "value"):
        return [x.dtype.name, content(x.value)]
    if device.is_array(x) or isinstance(x, (np.ndarray, np.generic)):
        x = device.to_host(x) if device.is_array(x) else x
        return Array(x.dtype.name, x.shape, x.tobytes())
    return None if callable(x) else x


def assert_same(found, expected, name=""):
    """Check that results are equal: floats nearly so, and of trees the vertices alone."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key, value in expected.items():
            assert_same(found[key], value, key)
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for number, value in enumerate(expected):
            if name not in TREES or number < len(expected) - 1:
                assert_same(found[number], value)
    elif isinstance(expected, Array) and expected.dtype.startswith("float"):
        assert found[:2] == expected[:2]
        x, y = (np.frombuffer(a.data, a.dtype) for a in (found, expected))
        np.testing.assert_allclose(x, y, rtol=1e-6, atol=1e-9)
    elif isinstance(expected, float):
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)
    else:
        assert found == expected


def assert_unchanged(found, before, after):
    """Check that objects are as before a call; what is cached with a graph is as after one."""
    if not isinstance(before, dict):
        assert found == before
        return
    for name, value in found.items():
        assert_unchanged(value, before.get(name, after[name]), after[name])


# ---- the check


def every(stacks):
    """Return the numbers of all allocations; of more than MANY the first with each stack."""
    numbers = range(len(stacks))
    if len(stacks) <= MANY:
        return list(numbers)
    return sorted(dict(zip(stacks[::-1], numbers[::-1], strict=True)).values())


def spread(count):
    """Return a function that chooses the first allocation, the last and some between them."""

    def numbers(stacks):
        last = len(stacks) - 1
        return sorted({k * last // (count - 1) for k in range(count)}) if stacks else ()

    return numbers


def release(allocations, expected):
    """Free what no object needs; check that as many bytes are used as expected."""
    cuda.clear_workspaces()
    if allocations.used != expected:
        gc.collect()
    assert allocations.used == expected, "bytes stay allocated"


def check(make, call, numbers=every):
    """Let allocations of ``call(make())`` fail, each in a run of its own; return how many did.

    In five more runs all allocations from one on fail.

    Parameters
    ----------
    make : function
        Returns the inputs and outputs of a call: a graph, or a dict of objects; equal ones each
        time.
    call : function
        The call; its result is compared too.
    numbers : function, optional
        Chooses the numbers of allocations, of whose stacks it gets a list.
    """
    with counting() as allocations:
        content(call(make()))  # compiles kernels
        cuda.clear_workspaces()
        gc.collect()
        gc.freeze()
        unused = allocations.used
        before = content(make())
        x = make()
        cuda.clear_workspaces()
        with allocations.recorded() as stacks:
            result = call(x)
        result, after = content(result), content(x)
        cuda.clear_workspaces()
        gc.collect()
        used = allocations.used
        del x
        release(allocations, unused)
        chosen, few, failures = numbers(stacks), spread(5)(stacks), 0
        repeated = {chosen[k] for k in spread(REPEATED)(chosen)}
        for number, last in [*((k, False) for k in chosen), *((k, True) for k in few)]:
            x, found = make(), None
            cuda.clear_workspaces()
            try:
                with allocations.failing(number, last):
                    found = call(x)
                failed = False
            except OutOfDeviceMemory:
                failed = True
                assert_unchanged(content(x), before, after)
            if not failed or last or number in repeated:
                found = call(x) if failed else found
                assert_same(content(found), result)
                del found
                assert_same(content(x), after)
                if failed and not last:
                    release(allocations, used)
            del x
            release(allocations, unused)
            failures += failed
    return failures
