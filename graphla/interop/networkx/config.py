"""The backend's settings ``nx.config.backends.graphla``: engine and kernels.

`engine` is "cpu" or "cuda" (default: GRAPHLA_ENGINE). `kernels` is "algebra" or "native" (default:
GRAPHLA_KERNELS); "native" selects hand-written kernels for the algorithms that have them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import networkx as nx

from graphla.core import validation

if TYPE_CHECKING:
    from graphla.core.graph import Graph

KERNELS = ("algebra", "native")


def configured_engine() -> str:
    """Return the name of the engine that NetworkX's configuration selects."""
    return _setting("engine") or os.environ.get("GRAPHLA_ENGINE", "cpu")


def implementation(algorithm: Callable, G: Graph) -> Callable:
    """Return `algorithm`, or its native version if selected and present for G's engine."""
    kernels = _setting("kernels") or os.environ.get("GRAPHLA_KERNELS", "algebra")
    if validation.check_choice(kernels, KERNELS, "kernels") == "native":
        from graphla import native
        from graphla.native.dispatch import has_kernel

        if has_kernel(algorithm.__name__, G.engine):
            return getattr(native, algorithm.__name__)
    return algorithm


def _setting(name: str) -> Any:
    return getattr(getattr(nx.config.backends, "graphla", None), name, None)
