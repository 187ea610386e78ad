"""Hand-written kernels of engine "cuda".

``bfs_variants``, ``forest_variants``, ``sssp_variants``: forms of these by name.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

PLACES = {
    "bfs_variants": "papers.variants",
    "forest_variants": "papers.boruvka_variants",
    "sssp_variants": "papers.ford_bellman",
}


def __getattr__(name: str) -> Any:
    if name in PLACES:
        return getattr(import_module(f"graphla.native.cuda.{PLACES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
