"""A cluster of Dask on this machine."""

from __future__ import annotations

import logging

import pytest


@pytest.fixture(scope="package")
def client():
    """Return a client of two workers that are processes."""
    distributed, dask = pytest.importorskip("distributed"), pytest.importorskip("dask")
    quiet = {"distributed.logging.distributed": logging.CRITICAL}  # workers that tests end
    with (
        dask.config.set(quiet),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0",
            host="127.0.0.1", memory_limit="1GiB", silence_logs=logging.CRITICAL,
        ) as cluster,
        distributed.Client(cluster) as found,
    ):  # fmt: skip
        yield found


@pytest.fixture
def two_workers(client):
    """Return the client once both workers are there, after a test that ended one."""
    client.wait_for_workers(2, timeout=60)
    return client
