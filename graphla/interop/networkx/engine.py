"""The engine of converted graphs: ``nx.config.backends.graphla.engine``, or GRAPHLA_ENGINE."""

from __future__ import annotations

import os

import networkx as nx


def chosen_engine() -> str:
    """Return the name of the engine that NetworkX's configuration asks for."""
    config = getattr(nx.config.backends, "graphla", None)
    return getattr(config, "engine", None) or os.environ.get("GRAPHLA_ENGINE", "cpu")
