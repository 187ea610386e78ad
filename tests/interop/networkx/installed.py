"""NetworkX with graphla as a backend; importing this module skips the tests that lack them."""

from __future__ import annotations

import pytest

nx = pytest.importorskip("networkx", "3.4")
if "graphla" not in nx.utils.backends.backends:
    pytest.skip("entry points are not installed: pip install -e .", allow_module_level=True)
nx.config.warnings_to_ignore.add("cache")

__all__ = ["nx"]
