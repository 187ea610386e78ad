"""A run of the benchmark on ranks in other processes, which do all of it."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from graphla.algorithms.traversal.bfs import bfs
from graphla.comparison import measure
from graphla.comparison.quiet import MAX_WAIT, guarded, without_cpu_time
from graphla.core import validation
from graphla.generate.builder import check_integer
from graphla.graph500.edges import MAX_SCALE
from graphla.graph500.edges_on_ranks import EdgesOnRanks, kronecker_graph
from graphla.graph500.protocol import SMALL_SCALE
from graphla.graph500.result import Kernel, Result
from graphla.ranks import RankProcesses
from graphla.ranks.handle import Member
from graphla.verify import bfs as verify_bfs


class Measured(NamedTuple):
    """What a run on ranks has found; seconds are those of the slowest rank."""

    roots: list[int]
    generation_s: float
    construction_s: float
    seconds: list[float]
    validate_s: list[float]
    nedge: list[int]
    nvals: int
    cpu_s: float  # of all ranks


def run_on_ranks(
    processes: RankProcesses,
    scale: int,
    *,
    edgefactor: int = 16,
    searches: int = 64,
    seed: int = 1,
    max_wait: float = MAX_WAIT,
) -> Result:
    """Run the Graph500 benchmark with breadth-first search on the ranks of other processes.

    Parameters
    ----------
    processes : RankProcesses
        As of :func:`graphla.ranks.start`.
    scale, edgefactor, searches, seed, max_wait
        As of :func:`graphla.graph500.run`, with the same edges and search keys.

    Returns
    -------
    Result

    Raises
    ------
    DomainMismatch, InvalidValue
        An argument has a wrong type or is out of range.
    OutOfMemory, OutOfDeviceMemory
        A part of the graph does not fit on its rank.
    RankLost
        A process has ended.
    VerificationError
        A search result is wrong: the run is invalid.

    Notes
    -----
    No rank has the edge list. The generation time is that of drawing all edges once; the
    construction draws them again, piece by piece, and its time includes that. A result is validated
    by :func:`graphla.verify.bfs` on the graph, which has the edges of the list without duplicates.

    Examples
    --------
    >>> import graphla as gl
    >>> with gl.ranks.start(2) as ranks:
    ...     result = gl.graph500.run_on_ranks(ranks, 8, searches=2, max_wait=0)
    >>> result.block()["num_mpi_processes"], len(result.roots)
    (2, 2)
    """
    scale = check_integer(scale, "scale", 1, MAX_SCALE)
    edgefactor = validation.check_count(edgefactor, "edgefactor")
    searches, seed = validation.check_count(searches, "searches"), check_integer(seed, "seed")
    validation.check_not_negative(max_wait, "max_wait")
    with guarded(max_wait) as conditions:
        arguments = scale, edgefactor, searches, seed
        found: Measured = processes.run(_measure, *arguments, step="graph500")[0]
    kernel = Kernel(
        "bfs", "graphla-ranks", "algebraic", "levels+parents", tuple(found.seconds),
        tuple(found.validate_s), None, None, without_cpu_time(conditions, found.cpu_s),
    )  # fmt: skip
    return Result(
        scale, edgefactor, seed, processes.engine, tuple(found.roots), tuple(found.nedge),
        found.generation_s, found.construction_s, (kernel,),
        {
            "date": measure.now(),
            "commit": measure.commit(),
            "machine": measure.machine(),
            "versions": measure.versions(),
            "nvals": found.nvals,
            "ranks": processes.size,
        },
    )  # fmt: skip


def _measure(member: Member, scale: int, edgefactor: int, searches: int, seed: int) -> Measured:
    """Run all parts of the benchmark, on all ranks together."""
    ranks, communicator = member.ranks, member.ranks.communicator
    engine, cpu_before = communicator.blocks.name, time.process_time()

    def timed(work: Any) -> tuple[float, Any]:
        communicator.all("begin", True)
        begin = time.perf_counter()
        result = work()
        measure.synchronise(engine)
        communicator.all("end", True)
        return time.perf_counter() - begin, result

    def construct(scale: int) -> Any:
        return kronecker_graph(ranks, scale, edgefactor, seed)

    G = construct(min(scale, SMALL_SCALE))  # compiles what is compiled on first use
    EdgesOnRanks(ranks, min(scale, SMALL_SCALE), edgefactor, seed)
    generation_s, edges = timed(lambda: EdgesOnRanks(ranks, scale, edgefactor, seed))
    construction_s, G = timed(lambda: construct(scale))
    roots = edges.search_keys(searches, seed)
    verify_bfs(G, roots[0], *bfs(G, roots[0]))
    seconds, validate_s, nedge = [], [], []
    for root in roots:
        search_s, (level, parent) = timed(lambda root=root: bfs(G, root))
        check_s, _ = timed(
            lambda root=root, level=level, parent=parent: verify_bfs(G, root, level, parent)
        )
        seconds.append(search_s)
        validate_s.append(check_s)
        nedge.append(edges.edges_within(level.to_dense(fill_value=-1) >= 0))
    cpu = communicator.gather_words("cpu", int((time.process_time() - cpu_before) * 1e6)).first
    cpu_s = sum(cpu.tolist()) / 1e6
    return Measured(
        roots, generation_s, construction_s, seconds, validate_s, nedge, G.A.nvals, cpu_s
    )
