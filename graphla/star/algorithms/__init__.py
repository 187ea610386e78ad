"""Graph algorithms as programs of the STAR-machine."""

from graphla.star.algorithms.bellman_ford import bellman_ford
from graphla.star.algorithms.dijkstra import dijkstra
from graphla.star.algorithms.dynamic_closure import AcyclicClosure
from graphla.star.algorithms.dynamic_sink_paths import SinkPaths
from graphla.star.algorithms.dynamic_spanning_tree import SpanningForest
from graphla.star.algorithms.edmonds import edmonds
from graphla.star.algorithms.floyd import floyd
from graphla.star.algorithms.gabow import gabow
from graphla.star.algorithms.kruskal import kruskal
from graphla.star.algorithms.prim_dijkstra import prim_dijkstra
from graphla.star.algorithms.warshall import (
    warshall,
    warshall_adapted,
    warshall_blocked,
    warshall_columns,
)

__all__ = [
    "AcyclicClosure", "SinkPaths", "SpanningForest", "bellman_ford", "dijkstra", "edmonds",
    "floyd", "gabow", "kruskal", "prim_dijkstra", "warshall", "warshall_adapted",
    "warshall_blocked", "warshall_columns",
]  # fmt: skip
