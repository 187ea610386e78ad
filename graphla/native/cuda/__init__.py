"""Hand-written algorithms of engine "cuda": one file each, named as the function.

``bfs_variants``, ``forest_variants`` and ``sssp_variants`` are dicts from names to functions that
reproduce the searches and forests of textbooks and papers; they are imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

VARIANTS = {
    "bfs_variants": "papers.variants",
    "forest_variants": "papers.boruvka_variants",
    "sssp_variants": "papers.ford_bellman",
}


def __getattr__(name: str) -> Any:
    if name in VARIANTS:
        return getattr(import_module(f"graphla.native.cuda.{VARIANTS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
