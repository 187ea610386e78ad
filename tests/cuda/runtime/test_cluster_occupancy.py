"""What the driver says of clusters: how many run at once, none, or an error that is raised."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from graphla.cuda.runtime.cluster_occupancy import (
    CLUSTER_WIDTH,
    INVALID_CLUSTER_SIZE,
    INVALID_VALUE,
    NON_PORTABLE,
    LaunchConfig,
    MaxActiveClusters,
)
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.launcher import Launcher


class Driver:
    """What is seen of CuPy's; it refuses an attribute with an error, if it is given one."""

    class CUDADriverError(Exception):
        def __init__(self, status):
            super().__init__(status)
            self.status = status

    def __init__(self, width, error=None):
        self.width, self.error, self.set = width, error, []

    def funcGetAttribute(self, name, kernel):
        assert (name, kernel) == (CLUSTER_WIDTH, 5)
        return self.width

    def funcSetAttribute(self, kernel, name, value):
        if self.error is not None:
            raise self.CUDADriverError(self.error)
        self.set.append((kernel, name, value))


class Question:
    """Answers as cuOccupancyMaxActiveClusters does, and keeps what it was asked."""

    def __init__(self, count, status=0):
        self.count, self.status, self.asked = count, status, []

    def __call__(self, count, kernel, config):
        found = ctypes.cast(config, ctypes.POINTER(LaunchConfig)).contents
        self.asked.append((kernel.value, *found.blocks, *found.block, found.shared))
        assert (found.stream, found.attributes, found.attribute_count) == (None, None, 0)
        ctypes.cast(count, ctypes.POINTER(ctypes.c_int)).contents.value = self.count
        return self.status


def test_a_launch_as_the_driver_reads_it():
    """Seven words, two pointers, a word."""
    offsets = [getattr(LaunchConfig, name).offset for name, _ in LaunchConfig._fields_]
    assert offsets == [0, 12, 24, 32, 40, 48]
    assert ctypes.sizeof(LaunchConfig) == 56


@pytest.mark.parametrize(("width", "set"), [(8, []), (16, [(5, NON_PORTABLE, 1)])])
@pytest.mark.parametrize("count", [0, 7])
def test_how_many(width, set, count):
    """More blocks than all devices run are asked for."""
    driver, question = Driver(width), Question(count)
    assert MaxActiveClusters(driver, 5, question)(width, 1024, 1 << 16) == count
    assert driver.set == set
    assert question.asked == [(5, width, 1, 1, 1024, 1, 1, 1 << 16)]


def test_a_size_that_the_device_has_not():
    assert MaxActiveClusters(Driver(16), 5, Question(7, INVALID_CLUSTER_SIZE))(16, 1024, 0) == 0


def test_a_device_that_takes_no_more_blocks_than_all_do():
    question = Question(7)
    assert MaxActiveClusters(Driver(16, INVALID_VALUE), 5, question)(16, 1024, 0) == 0
    assert not question.asked
    assert MaxActiveClusters(Driver(8, INVALID_VALUE), 5, question)(8, 1024, 0) == 7


@pytest.mark.parametrize("status", [INVALID_VALUE, 201, 700, 999])
def test_another_error_is_raised(status):
    with pytest.raises(Driver.CUDADriverError) as error:
        MaxActiveClusters(Driver(8), 5, Question(7, status))(8, 1024, 0)
    assert error.value.status == status
    if status != INVALID_VALUE:
        with pytest.raises(Driver.CUDADriverError):
            MaxActiveClusters(Driver(16, status), 5)


@pytest.mark.parametrize(("most", "found"), [(16, 3), (14, 0)])
def test_a_device_of_fewer_blocks_than_a_cluster(most, found):
    asked = []

    def at_once(*args):
        asked.append(args)
        return 3

    grid = lambda threads, block, shared: min(most, threads // block)  # noqa: E731
    launch = Launcher(None, grid, None, None, at_once)
    assert launch.max_active_clusters(16 * 1024, 1024, 64) == found
    assert asked == [(16, 1024, 64)][:found]


@pytest.mark.gpu
def test_the_device_answers():
    """A cluster of as many blocks as any device with clusters takes."""
    if int(device.arch) < 90:
        pytest.skip("a device without clusters")
    text = Path(__file__).with_name("cluster.cu").read_text()
    run = device.active.compile(text, "nothing", True)
    assert device.max_active_clusters(run, 8 * 32, 32, 0) > 0
    run(8 * 32, 32, 0, ())
    device.synchronise()
