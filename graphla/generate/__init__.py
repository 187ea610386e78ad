"""Graphs made from a rule: the benchmarks' random graphs, meshes, and small graphs with a name.

Every generator returns a :class:`~graphla.core.graph.Graph` without self-loops and
without duplicate edges: loops that a rule draws are dropped and the first of
several equal edges is kept, so a random graph has somewhat fewer edges than
were drawn. The same arguments give the same graph (with the same NumPy: its
random streams may change between versions).

All but the three of data (`karate`, `les_miserables`, `python_imports`) take these keywords:

weights : (low, high) or (low, high, dtype), optional
    Give each edge an integer weight from low..high, both included, of dtype
    INT32 or the integer dtype named; an undirected edge has one weight. Without
    it the graph is unweighted. The edges do not depend on it.
seed : int, default 1
    Seed of the edges, and (a second stream) of the weights.

They refuse what does not fit before any work: `DomainMismatch` for a wrong
type, `InvalidValue` for a number out of range, `InvalidGraph` for an unknown
`kind`.
"""

from __future__ import annotations

from graphla.generate.import_graph import Imports, python_imports
from graphla.generate.meshes import geometric, grid, ssca2
from graphla.generate.random import kronecker, random_dag, random_digraph, rmat, uniform
from graphla.generate.small_graphs import complete, cycle, karate, les_miserables, path, star

__all__ = [
    "Imports",
    "complete",
    "cycle",
    "geometric",
    "grid",
    "karate",
    "kronecker",
    "les_miserables",
    "path",
    "python_imports",
    "random_dag",
    "random_digraph",
    "rmat",
    "ssca2",
    "star",
    "uniform",
]
