"""Graphs on several processes: each rank has a block, and all make the same calls in one order.

``ranks = gl.ranks.mpi()`` in a script that ``mpirun`` starts; ``H = ranks.distribute(G)``; then
``gl.bfs(H, 0)``, on all ranks together. A block is an object of python-graphblas. Results are
distributed vectors: ``to_dense`` and ``to_coo`` gather them on every rank, and nothing else does.
"""

from __future__ import annotations

from graphla.execution.push_pull import COSTS, register_costs
from graphla.ranks.collectives.memory import available
from graphla.ranks.distribution import Ranks
from graphla.ranks.in_process import in_process
from graphla.ranks.matrix import Matrix, TransposedMatrix
from graphla.ranks.mpi_communicator import mpi
from graphla.ranks.vector import Vector

register_costs("ranks", COSTS["cpu"]._replace(counts_edges_with_size=True))

__all__ = ["Matrix", "Ranks", "TransposedMatrix", "Vector", "available", "in_process", "mpi"]
