"""Graph generators: random models of benchmarks, meshes, small named graphs, and data sets.

Every generator returns a :class:`~graphla.core.graph.Graph` without self-loops and duplicate edges:
drawn self-loops are dropped and the first of several equal edges is kept, so a random graph has
fewer edges than were drawn. The same arguments and NumPy version give the same graph (NumPy's
random streams may change between versions).

All but the data sets (`karate`, `les_miserables`, `python_imports`) take these keywords:

weights : (low, high) or (low, high, dtype), optional
    Draw an integer weight uniformly from low..high (both included) for each edge, of the given
    integer dtype, INT32 by default. An undirected edge has one weight. Default: unweighted.
    The edges do not depend on the weights.
seed : int, default 1
    Seed of the random streams of the edges and of the weights.

Arguments are checked before any work: `DomainMismatch` is raised for a wrong type,
`InvalidValue` for a number out of range, `InvalidGraph` for an unknown `kind`.
"""

from __future__ import annotations

from typing import Any

from graphla.generate.import_graph import Imports, python_imports
from graphla.generate.meshes import geometric, grid, ssca2
from graphla.generate.random import kronecker, random_dag, random_digraph, rmat, uniform
from graphla.generate.small_graphs import complete, cycle, karate, les_miserables, path, star
from graphla.suggestions import unknown_name

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


def __getattr__(name: str) -> Any:
    raise unknown_name(__name__, name, __all__)
