"""Ranks that are the workers of a Dask cluster: each keeps its rank from one call to the next.

A call of an algorithm is one message to all workers. Dask starts the workers, carries the calls
and brings the results; between themselves the ranks have TCP connections of their own.
"""

from __future__ import annotations

from graphla.ranks.processes.dask.client import DaskProcesses, distribute, processes_of, read

__all__ = ["DaskProcesses", "distribute", "processes_of", "read"]
