"""Graphs on several processes: each rank has a block, and all make the same calls in one order.

``ranks = gl.ranks.mpi()`` in a script that ``mpirun`` starts; ``H = ranks.distribute(G)``; then
``gl.bfs(H, 0)``, on all ranks together. ``gl.ranks.start(4)`` starts processes of this machine, and
``G.to("cuda", devices=2)`` one for each GPU; ``G.to("dask", client=client)`` takes the workers of a
cluster of Dask: their graphs are handles. A block is an object of
python-graphblas, or of the CUDA engine. Results are distributed vectors: ``to_dense`` and
``to_coo`` return all of one on every rank, and nothing else does.
"""

from __future__ import annotations

from typing import Any

from graphla.execution.hints import register_planner
from graphla.ranks.collectives.memory import available
from graphla.ranks.communicators.in_process import in_process
from graphla.ranks.communicators.mpi_communicator import mpi
from graphla.ranks.distribution import Ranks
from graphla.ranks.handle import (
    DistributedGraphHandle,
    MatrixHandle,
    RankProcesses,
    VectorHandle,
)
from graphla.ranks.matrix import Matrix, TransposedMatrix
from graphla.ranks.processes.launcher import LocalProcesses, start
from graphla.ranks.statements import Expression, plan
from graphla.ranks.vector import Vector

register_planner(Expression, plan)

__all__ = [
    "DistributedGraphHandle",
    "LocalProcesses",
    "Matrix",
    "MatrixHandle",
    "RankProcesses",
    "Ranks",
    "TransposedMatrix",
    "Vector",
    "VectorHandle",
    "available",
    "in_process",
    "mpi",
    "start",
    "start_on_devices",
]


def start_on_devices(G: Any, devices: Any) -> Any:
    """Return a handle of a graph on GPUs, in processes that were started for it."""
    processes = start(engine="cuda", devices=devices)
    try:
        return processes.distribute(G.to("cpu")).owning_processes()
    except BaseException:
        processes.close()
        raise
