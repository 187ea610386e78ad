"""What benchmarks run on the ranks of other processes: timed calls, collectives, and checks."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager

import numpy as np
from graphblas import binary, monoid, unary

import graphla as gl
from graphla.comparison.measure import synchronise
from tests.algorithm_calls import algorithms, tiny
from tests.ranks.test_every_algorithm import assert_equal, outcome

LOOP = 4000  # additions in Python, some 0.1 ms
CORES = sorted(os.sched_getaffinity(0))  # that this process may use
CORES_TRIED = 8  # by each rank
WARM_SECONDS = 0.2  # of untimed calls, so that the device is at its speed
COLLECTIVES = (
    *("_allgather_bytes", "_allgather_columns", "_alltoall_columns"),
    "_allgather_words",
)


def timed_calls(G, name, args, options, trials):
    """Return the seconds of calls until the slowest rank has ended, and the last result."""
    call, wait, engine = getattr(gl, name), barrier(G), engine_of_data(G)

    def timed():
        wait()
        begin = time.perf_counter()
        result = call(G, *args, **options)
        synchronise(engine)
        wait()
        return time.perf_counter() - begin, result

    timed()
    seconds = timed()[0]
    if G.engine == "ranks":  # all ranks repeat as often
        seconds = G.A.layout.communicator.gather_words("warm", int(seconds * 1e9)).first.max() / 1e9
    for _ in range(int(WARM_SECONDS / max(seconds, 1e-4))):
        timed()
    taken = []
    for _ in range(trials):
        seconds, result = timed()
        taken.append(seconds)
    return taken, result


@contextmanager
def on_fast_cores(G):
    """Bind this thread of each rank to the one of some cores on which Python is fastest.

    Virtual cores may share a physical one, and Python then takes almost twice the time. The host's
    part of a search on several GPUs waits for the slowest rank. One rank after the other tries its
    cores.
    """
    rank, size = 0, 1
    if G.engine == "ranks":
        rank, size = G.A.layout.communicator.rank, G.A.layout.communicator.size
    wait, seconds = barrier(G), {}
    try:
        for turn in range(size):
            for core in CORES[rank::size][:CORES_TRIED] if turn == rank else ():
                os.sched_setaffinity(0, {core})
                seconds[core] = loop_seconds()
            if seconds:
                os.sched_setaffinity(0, {min(seconds, key=seconds.get)})
            wait()
        yield
    finally:
        os.sched_setaffinity(0, CORES)


def timed_on_fast_cores(G, name, args, options, trials):
    """Return what :func:`timed_calls` does, and the microseconds of a loop in Python after it."""
    with on_fast_cores(G):
        taken, result = timed_calls(G, name, args, options, trials)
        return taken, result, loop_microseconds(G)


def loop_seconds():
    """Return the seconds of a loop in Python, the least of some."""
    taken = []
    for _ in range(5):
        begin, total = time.perf_counter(), 0
        for k in range(LOOP):
            total += k
        taken.append(time.perf_counter() - begin)
    return min(taken)


def loop_microseconds(G):
    """Return the microseconds of a loop in Python on the core of each rank."""
    nanoseconds = int(loop_seconds() * 1e9)
    if G.engine != "ranks":
        return [nanoseconds / 1e3]
    return (G.A.layout.communicator.gather_words("loop", nanoseconds).first / 1e3).tolist()


def timed_on_block(H, name, args, options, trials):
    """Time calls on engine "cuda", on the block of the only rank; return seconds and `loop_us`."""
    G = gl.Graph.__new__(gl.Graph)
    G.__setstate__((H.A.local(0), H.kind))  # a check of the symmetry would need the transpose
    taken, _, loop = timed_on_fast_cores(G, name, args, options, trials)
    return taken, loop


def first_connected_vertex(G):
    """Return the first vertex with an edge."""
    v, first = G.out_degree.select("!=", 0).new(), 0
    if G.engine == "ranks":  # a vector of all vertices would be large on each host
        v, first = v.block, v.first
    found = v.apply(unary.positioni).reduce(monoid.min).new().value
    own = G.n if found is None else first + int(found)
    if G.engine != "ranks":
        return own
    return int(G.A.layout.communicator.gather_words("first vertex", own).first.min())


def cpu_seconds(G):
    """Return the CPU seconds that all ranks have used."""
    own = int(time.process_time() * 1e6)
    return sum(G.A.layout.communicator.gather_words("cpu", own).first.tolist()) / 1e6


def verified_search(G, source):
    """Verify levels and parents of a search on all ranks; return the seconds."""
    level, parent = gl.bfs(G, source)
    if engine_of_data(G) == "cuda":
        gl.cuda.clear_workspaces()
    begin = time.perf_counter()
    gl.verify.bfs(G, source, level, parent)
    return time.perf_counter() - begin


def engine_of_data(G):
    """Return the engine of a graph, or of its blocks."""
    return G.A.layout.blocks.name if G.engine == "ranks" else G.engine


def barrier(G):
    """Return a function in which all ranks of a graph wait for each other."""
    if G.engine != "ranks":
        return lambda: None
    return lambda: G.A.layout.communicator.all("barrier", True)


def time_in_collectives(G, name, args, options):
    """Return the seconds of one call, and what each kind of collective takes of it on this rank.

    That is the number of calls, the seconds, and the bytes that arrive from other ranks.
    The device is synchronised before and after each transfer of data, so the call takes longer than
    without; words wait for the slowest rank.
    """
    communicator, engine = G.A.layout.communicator, engine_of_data(G)
    spent = {}
    with measured(communicator, spent):
        barrier(G)()
        spent.clear()
        begin = time.perf_counter()
        getattr(gl, name)(G, *args, **options)
        synchronise(engine)
        total = time.perf_counter() - begin
    return total, spent


def fixed_costs(G, repeats=300):
    """Return microseconds of a word, a short gather, and a statement beside that on blocks."""
    communicator, v = G.A.layout.communicator, G.out_degree.dup()
    blocks, engine = communicator.blocks, engine_of_data(G)
    counts = np.full(communicator.size, 1024)
    own, out = blocks.xp.zeros(1024, "u1"), blocks.xp.empty(int(counts.sum()), "u1")

    def microseconds(work):
        barrier(G)()
        begin = time.perf_counter()
        for _ in range(repeats):
            work()
        issued = time.perf_counter()
        synchronise(engine)
        return round((issued - begin) / repeats * 1e6, 2), round(
            (time.perf_counter() - begin) / repeats * 1e6, 2
        )

    w, plus = v.dup(), binary.plus
    works = {
        "word": lambda: communicator.gather_words("word", 1),
        "gather 1 KiB": lambda: communicator.allgather_known("gather", own, counts, out),
        "statement": lambda: w << v.apply(plus, right=1),
        "on blocks": lambda: w.block << v.block.apply(plus, right=1),
    }
    for work in works.values():
        microseconds(work)
    return {name: microseconds(work) for name, work in works.items()}


@contextmanager
def measured(communicator, spent):
    """Add calls, seconds and bytes of collectives that no other contains to a dict, by kind."""
    running = []

    def wrapped(kind, work):
        def run(*args):
            if running:
                return work(*args)
            running.append(kind)
            try:
                return timed(*args)
            finally:
                running.pop()

        def timed(*args):
            if kind != "_allgather_words":
                synchronise(communicator.blocks.name)
            begin = time.perf_counter()
            found = work(*args)
            if kind != "_allgather_words":
                synchronise(communicator.blocks.name)
            count, seconds, nbytes = spent.get(kind, (0, 0.0, 0))
            seconds += time.perf_counter() - begin
            spent[kind] = (
                count + 1,
                seconds,
                nbytes + arriving_bytes(kind, args, found, communicator.rank),
            )
            return found

        return run

    for kind in COLLECTIVES:
        setattr(communicator, kind, wrapped(kind, getattr(communicator, kind)))
    try:
        yield
    finally:
        for kind in COLLECTIVES:
            delattr(communicator, kind)


def arriving_bytes(kind, args, found, rank):
    """Return how many bytes of a collective other ranks have sent to this one."""
    if kind == "_allgather_words":
        return found.nbytes - args[0].nbytes
    if kind == "_allgather_bytes":
        content, _, whole = args
        return whole.nbytes - content.nbytes
    columns, counts, whole = args
    if kind == "_alltoall_columns":
        arriving = int(counts[:, rank].sum() - counts[rank, rank])
        return arriving * sum(x.dtype.itemsize for x in whole)
    return sum(x.nbytes for x in whole) - sum(x.nbytes for x in columns)


def outcome_on_ranks(G, name):
    """Return the result of an algorithm as arrays and numbers, or its error."""
    return outcome(algorithms()[name], G)


def check_algorithms(start, seconds):
    """Compare algorithms on ranks with engine "cpu"; return the equal, the unequal, the others."""
    names, equal, unequal = sorted(algorithms(), key=lambda name: name not in FIRST), [], {}
    end = time.perf_counter() + seconds
    graphs = [tiny("undirected"), tiny("directed")]
    with start() as ranks:
        handles = [ranks.distribute(G) for G in graphs]
        for number, name in enumerate(names):
            if time.perf_counter() > end:
                return equal, unequal, names[number:]
            try:
                for G, H in zip(graphs, handles, strict=True):
                    found = H.run(outcome_on_ranks, name)
                    assert_equal(found, outcome(algorithms()[name], G))
                equal.append(name)
            except Exception as error:
                unequal[name] = f"{type(error).__name__}: {error}"[:300]
                if ranks.error is not None:
                    return equal, unequal, names[number + 1 :]
    return equal, unequal, []


FIRST = ("bfs", "bfs_levels", "pagerank", "sssp", "triangle_count", "connected_components")
