"""A program of dask-mpi: ``mpirun -n 4 python -m tests.ranks.processes.dask.mpi_script``.

Of the four processes one is the scheduler, one runs this program, and two are workers.
"""

from __future__ import annotations

from dask_mpi import initialize
from distributed import Client

import graphla as gl

if __name__ == "__main__":
    initialize(nthreads=1, interface="lo", dashboard=False)
    with Client() as client:
        client.wait_for_workers(2)
        G = gl.generate.kronecker(8, seed=1)
        H = G.to("dask", client=client)
        assert gl.bfs(H, 0).level.nvals == gl.bfs(G, 0).level.nvals
        assert gl.triangle_count(H) == gl.triangle_count(G)
        print(f"equal on {H.processes.size} ranks", flush=True)
