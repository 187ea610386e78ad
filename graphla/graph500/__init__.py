"""The Graph500 benchmark with any implementation of breadth-first search and SSSP.

::

    result = gl.graph500.run(20, kernel="native", algorithms=("bfs", "sssp"))
    print(result)              # the official output block
    result.to_jsonl("rows.jsonl")

An edge list is generated. Making a graph of it is timed (kernel 1). Up to 64 search keys are
drawn, and from each one a breadth-first search (kernel 2) and a shortest-path search (kernel 3)
run. Each search is timed alone, and its result is validated on the edge list. For the rate per
watt of GreenGraph500 all searches are repeated between two readings of an energy counter.

Source: Graph500 benchmark specification, version 3.0, https://graph500.org.
"""

from graphla.graph500.edges import EdgeList, kronecker
from graphla.graph500.edges_on_ranks import kronecker_on
from graphla.graph500.protocol import run
from graphla.graph500.protocol_on_ranks import run_on_ranks
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
    "kronecker_on",
    "rates",
    "run",
    "run_on_ranks",
    "statistics",
    "validate_bfs",
    "validate_sssp",
]
