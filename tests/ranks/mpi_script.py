"""A program of ranks: run it with ``mpirun -n 3 python -m tests.ranks.mpi_script PART``."""

from __future__ import annotations

import os
import signal
import sys

import numpy as np

import graphla as gl
from tests.ranks.distributed_objects import check_exchange

PATH = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]


def search(ranks):
    """Search, rank and count on a graph that rank 0 alone has."""
    G = gl.generate.kronecker(8, seed=1)
    H = ranks.distribute(G if ranks.rank == 0 else None)
    level, parent = gl.bfs(H, 0)
    assert level.gathered().isequal(gl.bfs_levels(G, 0))
    gl.verify.bfs(G, 0, level.gathered(), parent.gathered())
    np.testing.assert_allclose(gl.pagerank(H).rank.to_dense(), gl.pagerank(G).rank.to_dense())
    assert gl.triangle_count(H) == gl.triangle_count(G)
    check_exchange(ranks.communicator)
    found = ranks.communicator.gather_words("done", 1).first.sum()
    if ranks.rank == 0:
        print(f"equal on {found} ranks")


def raised_on_one(ranks):
    """Rank 1 raises; the others are in a search."""
    H = ranks.distribute(gl.generate.kronecker(8, seed=1))
    if ranks.rank == 1:
        raise RuntimeError("this rank cannot go on")
    gl.bfs(H, 0)


def refused_on_all(ranks):
    """All ranks raise the same error."""
    gl.bfs(ranks.distribute(gl.generate.path(5)), 7)


def out_of_memory(ranks):
    """Rank 1 cannot take what the others already send."""
    if ranks.rank == 1:
        ranks.communicator._alltoall_columns = refuse
    ranks.communicator.exchange("extract", [1] * ranks.size, [np.arange(ranks.size)])


def refuse(*arguments):
    raise MemoryError("no memory for what comes")


def finalized(ranks):
    """A script may end MPI itself."""
    from mpi4py import MPI

    gl.bfs(ranks.distribute(gl.generate.path(5)), 0)
    MPI.Finalize()


def ended_early(ranks):
    """Rank 1 ends without an error; the others wait for it in a search."""
    H = ranks.distribute(gl.generate.kronecker(8, seed=1))
    if ranks.rank == 1:
        sys.exit(0)
    gl.bfs(H, 0)


def killed(ranks):
    """The kernel ends rank 2; the others wait for it."""
    if ranks.rank == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    ranks.communicator.all("barrier", True)


if __name__ == "__main__":
    globals()[sys.argv[1]](gl.ranks.mpi(threads=1))
