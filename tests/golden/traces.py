"""Forms of results, and traces, of every public algorithm on both engines.

Engine "cuda" runs in the simulator.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import graphla as gl
from graphla.cuda.runtime.device import device
from graphla.errors import GraphlaError
from tests.algorithm_calls import algorithms, prepared
from tests.cuda.simulator import Simulator

FILE = Path(__file__).with_name("traces.json")
KINDS, ENGINES = ("directed", "undirected"), ("cpu", "cuda")


@contextmanager
def simulated(simulator=None):
    """Run engine "cuda" in a simulator, even if there is a GPU."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(device, "active", simulator or Simulator())
        yield device.active


@cache
def graph(kind):
    """Return a weighted graph of 77 vertices; if directed, without half of the reverse edges."""
    G = gl.generate.les_miserables()
    if kind == "undirected":
        return G
    src, dst, weight = G.A.to_coo()
    one_way = (src < dst) | (src % 2 == 0)
    return gl.Graph.from_edges(src[one_way], dst[one_way], weight[one_way], n=G.n)


def current():
    """Return the text of the golden file for the present code."""
    with simulated():
        return json.dumps({name: of(name) for name in algorithms()}, indent=1) + "\n"


def of(name):
    """Return the traces of an algorithm for each kind of graph and each engine."""
    function = algorithms()[name]
    return {
        f"{kind} {engine}": trace(function, graph(kind), engine)
        for kind in KINDS
        for engine in ENGINES
    }


def trace(function, G, engine):
    """Return the form of a result, and the operations that compute it.

    A first run, on another copy of the graph, does the work that a process does only once.
    """
    try:
        prepared(function, G.to(engine))()
        call = prepared(function, G.to(engine))
        with gl.trace() as steps:
            result = call()
    except GraphlaError as error:
        return f"raises {type(error).__name__}"
    lines = [" ".join(filter(None, (s.operation, s.kernel, s.direction, s.mask))) for s in steps]
    distinct = list(Counter(lines))
    return {
        "result": form(result),
        "entries": [sum(sum(s.nnz_in) for s in steps), sum(s.nnz_out for s in steps)],
        "operations": distinct,
        "order": folded([str(distinct.index(line)) for line in lines]),
    }


def folded(words):
    """Join words; repeated groups are written once: ["0", "1", "2", "1", "2"] gives 0 (1 2)x2."""
    parts, start = [], 0
    while start < len(words):
        lengths = {size: size * repetitions(words, start, size) for size in range(1, 50)}
        size = max(lengths, key=lambda size: (lengths[size] * (lengths[size] > size), -size))
        if lengths[size] > size:
            parts.append(f"({folded(words[start : start + size])})x{lengths[size] // size}")
        else:
            parts.append(words[start])
        start += lengths[size] if lengths[size] > size else 1
    return " ".join(parts)


def repetitions(words, start, size):
    """Return how many times in a row the `size` words from `start` on occur."""
    count, group = 1, words[start : start + size]
    while group == words[start + count * size : start + (count + 1) * size] != []:
        count += 1
    return count


def form(x):
    """Return the type of a result with those of its fields, dtypes and sizes."""
    name = type(x).__name__
    if isinstance(x, tuple):
        fields = getattr(x, "_fields", range(len(x)))
        return f"{name}({', '.join(f'{f}={form(y)}' for f, y in zip(fields, x, strict=True))})"
    if isinstance(x, list):
        return f"[{', '.join(sorted(set(map(form, x))))}]"
    if isinstance(x, np.ndarray):
        return f"array[{x.dtype}, {x.shape}]"
    if hasattr(x, "nvals"):
        size = "x".join(map(str, x.shape))
        return f"{name}[{x.dtype.name}, {x.nvals} of {size}]"
    return name
