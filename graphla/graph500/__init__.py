"""The Graph500 benchmark, by its rules, on any implementation of breadth-first search and SSSP.

::

    result = gl.graph500.run(20, kernel="native", algorithms=("bfs", "sssp"))
    print(result)              # the official output block
    result.to_jsonl("rows.jsonl")

A list of edges is generated; it is made a graph, which is timed (kernel 1); up to 64 search
keys are drawn; from each the graph is searched breadth-first (kernel 2) and for shortest
paths (kernel 3), each search timed alone and its result checked on the list of edges.
The sixty-four searches repeated between two readings of an energy counter give
GreenGraph500's rate per watt.

Source: Graph500 benchmark specification, version 3.0, https://graph500.org.
"""

from graphla.graph500.edges import EdgeList, kronecker
from graphla.graph500.protocol import run
from graphla.graph500.result import Kernel, Result
from graphla.graph500.statistics import Rates, Statistics, rates, statistics
from graphla.graph500.validation import validate_bfs, validate_sssp

__all__ = [
    "EdgeList",
    "Kernel",
    "Rates",
    "Result",
    "Statistics",
    "kronecker",
    "rates",
    "run",
    "statistics",
    "validate_bfs",
    "validate_sssp",
]
