"""Implementations side by side: the same graph, the same sources, trial by trial in turn.

Source of the protocol: S. Beamer, K. Asanovic, D. Patterson, "The GAP benchmark
suite", arXiv:1508.03619 (64 searches, 16 trials of the rest); alternation, pauses and
rotation are ours, so that drift of the machine hits all alike.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from graphla.comparison import measure
from graphla.comparison.algorithms import ALGORITHMS, Algorithm
from graphla.comparison.candidate import Candidate, Views, here
from graphla.comparison.implementations import FAMILIES, Implementation, everything
from graphla.comparison.implementations import implementations as installed
from graphla.comparison.quiet import MAX_WAIT, guarded
from graphla.comparison.result import Comparison
from graphla.core import engines, validation
from graphla.core.engines import host_array
from graphla.core.graph import Graph
from graphla.core.progress import Progress
from graphla.errors import InvalidValue

SEARCHES, OTHERS = 64, 16  # trials that GAP takes of traversals, and of the rest


def compare(
    algorithms: str | Sequence[str],
    G: Graph | Mapping[str, Graph],
    *,
    sources: int | Sequence[int] = 16,
    implementations: Sequence[str] | None = None,
    trials: int | None = None,
    budget: float = 60.0,
    max_wait: float = MAX_WAIT,
    seed: int = 7,
    verify: bool = True,
    progress: bool = False,
) -> Comparison:
    """Run implementations of algorithms side by side, check their results and time them.

    Parameters
    ----------
    algorithms : str or sequence of str
        Names of :data:`graphla.comparison.algorithms.ALGORITHMS`.
    G : Graph or mapping of str to Graph
        One graph, or several with their names, on any engine; each implementation takes it
        to its own. Algorithms that ignore weights are given the graph without them.
    sources : int or sequence of int
        How many vertices to start from, drawn among those with an out-edge (all of
        them where there are fewer), or the vertices. Betweenness takes four at a time,
        distances between pairs 64.
    implementations : sequence of str, optional
        Names or families ("algebraic", "native", "peer", ...) to restrict the
        comparison to; by default all that are installed and can run. "graphla-cuda" is
        the algebra on engine "cuda".
    trials : int, optional
        Trials of each: by default, as in the GAP benchmark suite, 64 of a traversal,
        but one from each source at most, and 16 of the others.
    budget : float
        Seconds for one implementation on one graph: one whose call takes t has
        min(trials, max(3, budget / t)) trials.
    max_wait : float
        Seconds, at most, to wait for a quiet moment before the trials of an algorithm on a
        graph: for a quarter of a second other processes take at most 5 % of the time of the
        cores. 10 by default; with 0, or where the platform does not tell, nobody waits.
    seed : int
        Of the drawn sources.
    verify : bool
        Check the result of an untimed call by :mod:`graphla.verify`: on the device if the
        implementation, or the given graph, is on engine "cuda", else on the CPU, as SciPy is.
    progress : bool
        Show a bar of the calls done.

    Returns
    -------
    Comparison
        One row for each graph, algorithm and implementation. A row of an
        implementation that fails or gives a wrong result has `verified` False, the
        `error` and no trials; `verified` is None where there was no check, or none
        is possible. One that does not run on a graph has the reason in `skipped`.

    Raises
    ------
    InvalidValue
        An unknown name, no vertex to start from, `trials` or `sources` below 1,
        `budget` that is not positive, or `max_wait` that is negative or not finite.
    InvalidIndex
        A source is not a vertex.
    EngineUnavailable
        An implementation is asked for whose engine cannot run here.

    Notes
    -----
    Everything is checked before any work. Each implementation then prepares its form
    of the graph (timed as `prepare_s`; a native one may compile there, once), makes a
    call whose result is checked, and another for `peak_bytes`, unless it is a peer
    whose first took half of the budget. The result of the last trial is checked too.
    Trials go round by round: round k starts from source k, and each implementation has
    its turn. The order moves on and turns round from one round to the next, so that none
    always follows the same neighbour. Before every call Python's garbage is collected,
    and the threads of the one before have 20 ms to stop spinning; the collector rests
    during the call. On a device the call of the trial before is repeated in between, untimed,
    for a tenth of a second, as calls follow each other in a program. A graph on a device is
    copied to the CPU where something needs it there, once; the copy is kept with the graph.

    A ratio is shown as "too noisy to conclude" where its upper quartile is more than 1.5 times
    the lower one, or other processes took more than 25 % of the cores' time during the trials
    (:mod:`graphla.comparison.pairs`).

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.karate()
    >>> c = gl.compare("bfs", G, sources=3, implementations=["graphla", "scipy"])
    >>> [(row["implementation"], row["verified"], len(row["trials_s"])) for row in c.rows]
    [('graphla', True, 3), ('scipy', True, 3)]
    """
    chosen = _algorithms(algorithms)
    entrants = _entrants(chosen, implementations)
    graphs = {"graph": G} if not isinstance(G, Mapping) else dict(G)
    for graph in graphs.values():
        validation.room(graph)
    validation.positive(budget, "budget")
    validation.not_negative(max_wait, "max_wait")
    if trials is not None:
        validation.count(trials, "trials")
    starts = {
        (name, a.name): _starts(a, graph, name, sources, seed)
        for name, graph in graphs.items()
        for a in chosen
    }
    libraries = {i.library for field in entrants.values() for i in field if i.library}
    stamp = {
        "commit": measure.commit(),
        "machine": measure.machine(),
        "versions": measure.versions(sorted(libraries)),
    }
    rows: list[dict[str, Any]] = []
    for name, graph in graphs.items():
        for a in chosen:
            field = [Candidate(i) for i in entrants[a.name]]
            view, begins = a.view(graph), starts[name, a.name]
            views = Views(view, partial(_viewed_here, a, graph))
            rounds = trials or (min(SEARCHES, len(begins)) if a.traversed else OTHERS)
            with Progress(progress, f"{name}: {a.name}", (rounds + 1) * len(field)) as bar:
                conditions = _race(field, a, views, begins, rounds, budget, max_wait, verify, bar)
            about = {
                "date": measure.now(),
                **stamp,
                **conditions,
                "algorithm": a.name,
                "graph": name,
                "fingerprint": measure.fingerprint(view),
                "n": view.n,
                "nvals": view.A.nvals,
                "sources": [] if a.start is None else begins,
            }
            rows += [about | c.row() | {"gteps": _gteps(a, view, c)} for c in field]
    return Comparison(rows)


def _viewed_here(a: Algorithm, G: Graph) -> Graph:
    return a.view(here(G))


def _race(
    field: list[Candidate],
    a: Algorithm,
    views: Views,
    begins: list[Any],
    rounds: int,
    budget: float,
    max_wait: float,
    verify: bool,
    bar: Progress,
) -> dict[str, Any]:
    """Warm all up, then let them take turns; return how busy the machine was meanwhile."""
    if any(candidate.implementation.family == "peer" for candidate in field):
        views["cpu"].cache("csr", "is_symmetric", "nself_edges")  # not theirs to pay for
    try:
        gc.collect()
        gc.freeze()  # collections do not walk what is there already
        for candidate in field:
            candidate.warm_up(a, views, begins[0], rounds, budget, verify)
            bar.step()
        gc.freeze()
        with guarded(max_wait if any(candidate.wanted for candidate in field) else 0) as conditions:
            for k in range(rounds):
                for candidate in rotated_order(field, k):
                    if k < candidate.wanted:
                        start, before = (begins[j % len(begins)] for j in (k, k - 1))
                        candidate.trial(start, before, (a, views) if verify else None)
                    bar.step()
        return conditions
    finally:
        gc.unfreeze()
        for candidate in field:
            candidate.release()


def rotated_order(field: list[Any], k: int) -> list[Any]:
    """Return the order of round k: moved on by one every other round, and turned round between.

    >>> ["".join(rotated_order(list("abc"), k)) for k in range(6)]
    ['abc', 'cba', 'bca', 'acb', 'cab', 'bac']
    """
    shift = k // 2 % max(len(field), 1)
    order = field[shift:] + field[:shift]
    return order[::-1] if k % 2 else order


def _gteps(a: Algorithm, G: Graph, candidate: Candidate) -> float | None:
    """Return the edges of the graph over the mean time, of a traversal."""
    times = candidate.seconds
    return round(G.nedges * len(times) / sum(times) / 1e9, 6) if a.traversed and times else None


def _algorithms(names: str | Sequence[str]) -> list[Algorithm]:
    """Return the algorithms of the names."""
    names = [names] if isinstance(names, str) else list(names)
    for name in names:
        validation.one_of(name, tuple(ALGORITHMS), "algorithm")
    return [ALGORITHMS[name] for name in dict.fromkeys(names)]


def _entrants(
    chosen: list[Algorithm], wanted: Sequence[str] | None
) -> dict[str, list[Implementation]]:
    """Return what is installed of each algorithm, and wanted by name or family."""
    wanted = [wanted] if isinstance(wanted, str) else wanted
    known = tuple(dict.fromkeys((*(i.name for i in installed()), *FAMILIES)))
    for name in wanted or ():
        absent = {i.engine for i in everything() if i.name == name and name not in known}
        if "cuda" in absent:
            engines.objects("cuda").require()  # says why it cannot run
        validation.one_of(name, known, "implementation")
    return {
        a.name: [i for i in installed(a.name) if wanted is None or {i.name, i.family} & set(wanted)]
        for a in chosen
    }


def _starts(
    a: Algorithm, G: Graph, name: str, sources: int | Sequence[int], seed: int
) -> list[Any]:
    """Return what each call starts from: nothing, a vertex, or a batch of vertices."""
    validation.room(G)
    if a.start is None:
        return [None]
    size = 1 if a.start == "vertex" else a.batch
    if isinstance(sources, Iterable):
        drawn = validation.vertices(G, sources)
    else:
        able = np.flatnonzero(host_array(G.out_degree.to_dense()))
        count = min(validation.count(sources, "sources") * size, able.size)
        drawn = np.random.default_rng(seed).choice(able, count, replace=False).tolist()
    if not drawn:
        raise InvalidValue(f"{a.name} on {name!r}, {G}: there is no vertex to start from")
    if a.start == "vertex":
        return drawn
    return [drawn[k : k + size] for k in range(0, len(drawn), size)]
