"""What runs converted graphs, by ``nx.config.backends.graphla``.

Its `engine` is "cpu" or "cuda" (from GRAPHLA_ENGINE). Its `kernels` are "algebra", or "native"
(from GRAPHLA_KERNELS): the hand-written twins of the algorithms that have some.
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
    """Return the name of the engine that NetworkX's configuration asks for."""
    return _configured("engine") or os.environ.get("GRAPHLA_ENGINE", "cpu")


def implementation(algorithm: Callable, G: Graph) -> Callable:
    """Return an algorithm, or its native twin for the engine of a graph."""
    kernels = _configured("kernels") or os.environ.get("GRAPHLA_KERNELS", "algebra")
    if validation.one_of(kernels, KERNELS, "kernels") == "native":
        from graphla import native
        from graphla.native.dispatch import has

        if has(algorithm.__name__, G.engine):
            return getattr(native, algorithm.__name__)
    return algorithm


def _configured(name: str) -> Any:
    return getattr(getattr(nx.config.backends, "graphla", None), name, None)
