"""NetworkX's dispatch in tests of the backend."""

from __future__ import annotations

import pytest


@pytest.fixture
def sent_here(monkeypatch):
    """Dispatch every call that the backend has a function for; count calls by function."""
    from graphla.interop.networkx import backend
    from tests.interop.networkx.installed import nx

    monkeypatch.setattr(backend, "should_run", lambda name, args, kwargs: True)
    backend.calls.clear()
    with nx.config.backend_priority(algos=["graphla"]):
        yield backend.calls
