"""Calls of every public algorithm, with arguments chosen by the names of its parameters."""

from __future__ import annotations

import inspect
from types import GeneratorType

import graphla as gl

NOT_ALGORITHMS = {"compare_levels"}  # its first parameter is a graph too, but it measures time
ARGUMENTS = {"source": 0, "sources": [0, 3], "src": [0, 1], "dst": [2, 5], "k": 2}
OPTIONS = {"katz_centrality": {"alpha": 0.02}}  # the default diverges on les_miserables


def algorithms(module=gl):
    """Return {name: function} of the public functions whose first parameter is the graph."""
    functions = {}
    for name in sorted(dir(module)):
        function = getattr(module, name)
        if name[0] != "_" and name not in NOT_ALGORITHMS and inspect.isfunction(function):
            functions[name] = function
    return {name: f for name, f in functions.items() if next(iter(parameters(f)), None) == "G"}


def parameters(function):
    return inspect.signature(function).parameters


def prepared(function, G):
    """Return a function without parameters that calls an algorithm; generators become lists."""
    names = [
        p.name for p in parameters(function).values() if p.default is p.empty and p.name != "G"
    ]
    arguments = [gl.label_propagation(G) if x == "community" else ARGUMENTS[x] for x in names]

    def call():
        result = function(G, *arguments, **OPTIONS.get(function.__name__, {}))
        return list(result) if isinstance(result, GeneratorType) else result

    return call


def tiny(kind):
    """Return a weighted graph of nine vertices: a triangle, a cycle, a path, an isolated vertex."""
    src, dst = [0, 1, 0, 2, 3, 4, 5, 6, 1], [1, 2, 2, 3, 4, 5, 2, 7, 4]
    return gl.Graph.from_edges(src, dst, [4, 1, 7, 2, 1, 3, 5, 2, 6], n=9, kind=kind)
