"""Run implementations side by side on the same graph and sources, alternating trial by trial.

Source of the protocol: S. Beamer, K. Asanovic, D. Patterson, "The GAP benchmark
suite", arXiv:1508.03619 (64 searches, 16 trials of other algorithms). Alternation, pauses and
rotation are graphla's: a slow drift of the machine then affects all implementations equally.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from graphla.comparison import measure
from graphla.comparison.algorithms import ALGORITHMS, Algorithm
from graphla.comparison.candidate import Candidate, Views, on_cpu
from graphla.comparison.implementations import FAMILIES, Implementation, all_implementations
from graphla.comparison.implementations import implementations as available_implementations
from graphla.comparison.quiet import MAX_WAIT, QUIET, guarded
from graphla.comparison.result import Comparison
from graphla.core import engines, validation
from graphla.core.display import Progress
from graphla.core.engines import host_array
from graphla.core.graph import Graph
from graphla.errors import DomainMismatch, InvalidValue, MissingPackage

SLOW = ("associative",)  # families that run only if they are named
TRAVERSAL_TRIALS, OTHER_TRIALS = 64, 16  # of the GAP benchmark suite


@validation.explains_wrong_calls
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
    """Run implementations of algorithms side by side, verify their results and time them.

    Parameters
    ----------
    algorithms : str or sequence of str
        Names of :data:`graphla.comparison.algorithms.ALGORITHMS`.
    G : Graph or mapping of str to Graph
        One graph, or several with their names, on any engine; each implementation copies it to
        its own engine. Algorithms that ignore weights are given the graph without them.
    sources : int or sequence of int
        The source vertices, or how many to draw among the vertices with an out-edge (all of
        them if there are fewer). One call of betweenness takes 4 sources, of all-pairs shortest
        paths 64.
    implementations : sequence of str, optional
        Names or families ("algebraic", "native", "peer", ...) to restrict the
        comparison to; by default all that are installed and can run, except the slow family
        "associative" (the STAR-machine). "graphla-cuda" is
        the algebraic implementation on engine "cuda".
    trials : int, optional
        Trials of each: by default, as in the GAP benchmark suite, 64 for a traversal,
        but at most one from each source, and 16 for other algorithms.
    budget : float
        Seconds for one implementation on one graph: if a call takes t seconds, there are
        min(trials, max(3, budget / t)) trials.
    max_wait : float
        Longest wait in seconds for a quiet machine before the trials of an algorithm on a graph:
        for a quarter of a second other processes use at most 5 % of the cores' time. There is
        no wait if it is 0 or the platform does not report CPU times.
    seed : int
        Seed for drawing sources.
    verify : bool
        Check the result of an untimed call by :mod:`graphla.verify`: on the device if the
        implementation or the given graph is on engine "cuda" and the check does not need SciPy,
        else on the CPU.
    progress : bool
        Show a progress bar of the calls, which names the one that runs.

    Returns
    -------
    Comparison
        One row for each graph, algorithm and implementation. If an implementation fails or
        returns a wrong result, its row has `verified` False, the `error` and no trials;
        `verified` is None if there was no check or the check cannot judge. If it does not run
        on a graph, the reason is in `skipped`.

    Raises
    ------
    InvalidValue
        An unknown name, no source vertex, `trials` or `sources` below 1, `budget` not positive,
        or `max_wait` negative or not finite.
    InvalidIndex
        A source is not a vertex.
    EngineUnavailable
        The engine of a named implementation cannot run here.
    MissingPackage
        The library of a named implementation is not installed.

    Notes
    -----
    All arguments are checked before any work. Then each implementation prepares its input
    (timed as `prepare_s`; a native one may compile), makes one call whose result is verified,
    and another one for `peak_bytes`, unless it is a peer whose first call took half of the
    budget. The result of the last trial is verified, too.

    Trials run in rounds: round k starts from source k, and each implementation makes one call.
    The order is rotated and reversed between rounds, so that no implementation always follows
    the same other one. Before every call Python's garbage is collected, and there is a pause of
    20 ms in which the threads of the previous call stop spinning; garbage collection is off
    during the call. On a device the previous trial's call is repeated untimed for a tenth of a
    second after the pause, to measure it at the clock rate of continuous use. If something needs
    a device graph on the CPU, it is copied once, and the copy is cached in the graph.

    A ratio is shown as "too noisy to conclude" if its upper quartile is more than 1.5 times
    the lower one, or other processes used more than 25 % of the cores' time during the trials
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
    selected = _select(chosen, implementations)
    graphs = {"graph": G} if not isinstance(G, Mapping) else dict(G)
    if isinstance(G, (list, tuple)):
        raise DomainMismatch("several graphs are a mapping from name to graph, such as {'a': G}")
    for graph in graphs.values():
        validation.check_graph(graph)
    validation.check_positive(budget, "budget")
    validation.check_not_negative(max_wait, "max_wait")
    if trials is not None:
        validation.check_count(trials, "trials")
    starts = {
        (name, algorithm.name): _starts(algorithm, graph, name, sources, seed)
        for name, graph in graphs.items()
        for algorithm in chosen
    }
    libraries = {i.library for entries in selected.values() for i in entries if i.library}
    environment = {
        "commit": measure.commit(),
        "machine": measure.machine(),
        "versions": measure.versions(sorted(libraries)),
    }
    rounds = {case: trials or _default_trials(ALGORITHMS[case[1]], starts[case]) for case in starts}
    calls = sum((k + 1) * len(selected[name]) for (_, name), k in rounds.items())
    rows: list[dict[str, Any]] = []
    with Progress(progress, "compare", calls, estimate=False) as bar:
        for case, view_starts in starts.items():
            name, algorithm = case[0], ALGORITHMS[case[1]]
            candidates = [Candidate(i) for i in selected[algorithm.name]]
            view = algorithm.view(graphs[name])
            views = Views(view, partial(_view_on_cpu, algorithm, graphs[name]))
            conditions = _run_rounds(
                candidates, algorithm, views, view_starts, rounds[case], budget, max_wait, verify,
                bar, f"{name}, {algorithm.name}",
            )  # fmt: skip
            common = {
                "date": measure.now(),
                **environment,
                **conditions,
                "algorithm": algorithm.name,
                "graph": name,
                "fingerprint": measure.fingerprint(view),
                "n": view.n,
                "nvals": view.A.nvals,
                "sources": [] if algorithm.start is None else view_starts,
            }
            rows += [common | c.row() | {"gteps": _gteps(algorithm, view, c)} for c in candidates]
    return Comparison(rows)


def _view_on_cpu(algorithm: Algorithm, G: Graph) -> Graph:
    return algorithm.view(on_cpu(G))


def _run_rounds(
    candidates: list[Candidate],
    algorithm: Algorithm,
    views: Views,
    starts: list[Any],
    rounds: int,
    budget: float,
    max_wait: float,
    verify: bool,
    bar: Progress,
    case: str,
) -> dict[str, Any]:
    """Warm up all candidates, then run the rounds; return the machine's load during the rounds."""
    if any(candidate.implementation.family == "peer" for candidate in candidates):
        views["cpu"].cache("csr", "is_symmetric", "nself_edges")  # not in a peer's prepare time
    try:
        gc.collect()
        gc.freeze()  # collections skip the objects that exist already
        for candidate in candidates:
            bar.set_label(f"{case}: {candidate.implementation.name}, first call")
            candidate.warm_up(algorithm, views, starts[0], rounds, budget, verify)
            bar.step()
        gc.freeze()
        has_trials = any(candidate.planned_trials for candidate in candidates)
        bar.set_label(
            f"{case}: waiting up to {max_wait:g} s until other processes use at most {QUIET:.0%} "
            "of the cores"
        )
        with guarded(max_wait if has_trials else 0) as conditions:
            check = (algorithm, views) if verify else None
            for k in range(rounds):
                start, previous_start = (starts[j % len(starts)] for j in (k, k - 1))
                for candidate in rotated_order(candidates, k):
                    if k < candidate.planned_trials:
                        name = candidate.implementation.name
                        bar.set_label(
                            f"{case}: {name}, trial {k + 1} of {candidate.planned_trials}"
                        )
                        candidate.run_trial(start, previous_start, check)
                    bar.step()
        return conditions
    finally:
        gc.unfreeze()
        for candidate in candidates:
            candidate.release()


def rotated_order(items: list[Any], k: int) -> list[Any]:
    """Return the order of round k: rotated by one every other round, reversed in odd rounds.

    >>> ["".join(rotated_order(list("abc"), k)) for k in range(6)]
    ['abc', 'cba', 'bca', 'acb', 'cab', 'bac']
    """
    shift = k // 2 % max(len(items), 1)
    order = items[shift:] + items[:shift]
    return order[::-1] if k % 2 else order


def _default_trials(algorithm: Algorithm, starts: list[Any]) -> int:
    return min(TRAVERSAL_TRIALS, len(starts)) if algorithm.traversed else OTHER_TRIALS


def _gteps(algorithm: Algorithm, G: Graph, candidate: Candidate) -> float | None:
    """Return 10^9 edges of the graph per second of the mean trial; None for other algorithms."""
    times = candidate.seconds
    if not algorithm.traversed or not times:
        return None
    return round(G.nedges * len(times) / sum(times) / 1e9, 6)


def _algorithms(names: Any) -> list[Algorithm]:
    is_several = isinstance(names, Iterable) and not isinstance(names, str)
    names = list(names) if is_several else [names]
    for name in names:
        if not isinstance(name, str):
            raise DomainMismatch(
                f"algorithms are names such as 'bfs', not {validation.full_name(name)}; "
                "graphla.comparison.implementations.register adds your own function to those "
                "that are compared"
            )
        validation.check_choice(name, tuple(ALGORITHMS), "algorithm")
    return [ALGORITHMS[name] for name in dict.fromkeys(names)]


def _select(
    chosen: list[Algorithm], names: Sequence[str] | None
) -> dict[str, list[Implementation]]:
    """Return the available implementations of each algorithm, restricted to names or families.

    Without a restriction the families of SLOW are left out.
    """
    names = [names] if isinstance(names, str) else names
    known = tuple(dict.fromkeys((*(i.name for i in available_implementations()), *FAMILIES)))
    for name in names or ():
        if not isinstance(name, str):
            raise DomainMismatch(
                f"implementations are names, not {validation.full_name(name)}; "
                "graphla.comparison.implementations.register gives your own function one"
            )
        if name not in known and any(
            i.name == name and i.engine == "cuda" for i in all_implementations()
        ):
            engines.objects("cuda").require()  # raises EngineUnavailable with the reason
        missing = {i.name: i.library for i in all_implementations() if i.name not in known}
        if name in missing:
            raise MissingPackage(
                f"{name} needs {missing[name]}, which is not installed: "
                "pip install 'graphla[peers]' installs all libraries to compare with"
            )
        validation.check_choice(name, known, "implementation")
    selected = {
        algorithm.name: [
            i
            for i in available_implementations(algorithm.name)
            if (i.family not in SLOW if names is None else {i.name, i.family} & set(names))
        ]
        for algorithm in chosen
    }
    if names and not any(selected.values()):
        has = dict.fromkeys(i.name for a in chosen for i in available_implementations(a.name))
        raise InvalidValue(
            f"none of the implementations {', '.join(map(repr, names))} has "
            f"{' or '.join(selected)}; there are {', '.join(has)}"
        )
    return selected


def _starts(
    algorithm: Algorithm, G: Graph, name: str, sources: int | Sequence[int], seed: int
) -> list[Any]:
    """Return what each call starts from: None, a vertex, or a batch of vertices."""
    validation.check_graph(G)
    if algorithm.start is None:
        return [None]
    size = 1 if algorithm.start == "vertex" else algorithm.batch
    if isinstance(sources, Iterable):
        vertices = validation.check_vertices(G, sources)
    else:
        with_edges = np.flatnonzero(host_array(G.out_degree.to_dense()))
        count = min(validation.check_count(sources, "sources") * size, with_edges.size)
        vertices = np.random.default_rng(seed).choice(with_edges, count, replace=False).tolist()
    if not vertices:
        raise InvalidValue(f"{algorithm.name} on {name!r}, {G}: there is no vertex to start from")
    if algorithm.start == "vertex":
        return vertices
    return [vertices[k : k + size] for k in range(0, len(vertices), size)]
