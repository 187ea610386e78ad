"""A test of ranks that wait for each other for ever ends its process, with all their stacks."""

from __future__ import annotations

import faulthandler

import pytest

SECONDS = 300  # far more than any test takes


@pytest.fixture(autouse=True)
def watchdog():
    faulthandler.dump_traceback_later(SECONDS, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()
