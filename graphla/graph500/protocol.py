"""The run: generate, construct (timed), draw keys, search (timed), check, and meter energy."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Sequence
from copy import copy
from functools import partial
from typing import Any

from graphla.comparison import measure
from graphla.comparison.algorithms import ALGORITHMS
from graphla.comparison.implementations import Implementation, implementations
from graphla.comparison.quiet import MAX_WAIT, guarded
from graphla.core import engines
from graphla.core import validation as checks
from graphla.core.progress import Progress
from graphla.errors import DomainMismatch, InvalidValue, NoCounter, VerificationError
from graphla.generate.builder import check_integer
from graphla.graph500 import energy
from graphla.graph500.edges import MAX_SCALE, EdgeList, kronecker, room
from graphla.graph500.result import Kernel, Result
from graphla.graph500.validation import validate_bfs, validate_sssp
from graphla.verify.assertions import fail_where

KERNELS = ("bfs", "sssp")  # the benchmark's second and third
SMALL = 8  # scale of a first list and graph, for which kernels are compiled


def run(
    scale: int,
    *,
    edgefactor: int = 16,
    engine: str = "cpu",
    kernel: str = "algebraic",
    algorithms: str | Sequence[str] = "bfs",
    searches: int = 64,
    seed: int = 1,
    max_wait: float = MAX_WAIT,
    energy_s: float | None = None,
    progress: bool = False,
) -> Result:
    """Run the Graph500 benchmark.

    Parameters
    ----------
    scale : int
        The graph has 2^scale vertices, 1..31.
    edgefactor : int, default 16
        Input edges per vertex.
    engine : {"cpu", "cuda"}
        Where edges are generated and checked, and the graph is made and searched.
    kernel : str
        Implementation of the searches, or the family of one: "algebraic", "native", or a
        name that :func:`graphla.compare` knows and that gives parents, such as "scipy".
    algorithms : {"bfs", "sssp"} or sequence of them
        With "sssp" edges have weights, uniform in [0, 1).
    searches : int, default 64
        Search keys, drawn among the vertices that an edge joins to another one; all of
        them where there are fewer. A valid submission has 64.
    seed : int
        Of edges, weights and keys; the engines draw the same.
    max_wait : float
        Seconds, at most, to wait for a quiet moment before the searches of an algorithm, as
        :func:`graphla.compare` does.
    energy_s : float, optional
        Also repeat all searches for so many seconds between two readings of the engine's
        energy counter; GreenGraph500 wants 10 at least.
    progress : bool
        Show bars of the construction and of the searches.

    Returns
    -------
    Result

    Raises
    ------
    DomainMismatch, InvalidValue
        An argument of a wrong type, or out of range; an unknown kernel or algorithm.
    EngineUnavailable
        The engine cannot run here.
    OutOfMemory, OutOfDeviceMemory
        The graph does not fit.
    VerificationError
        A result is wrong: the run is invalid and has no result.

    Notes
    -----
    Construction is timed from the list of edges in memory to all that the implementations
    prepare for their searches. What compiles on first use does so before: on a small graph,
    and in one search of each algorithm more than is timed, as in the reference code. Result
    arrays are made within the time of a search, edges counted and results checked outside.

    Examples
    --------
    >>> import graphla as gl
    >>> result = gl.graph500.run(8, searches=4)
    >>> print(result)  # doctest: +ELLIPSIS
    SCALE:                          8
    edgefactor:                     16
    NBFS:                           4
    graph_generation:               ...
    >>> result.teps("bfs").harmonic_mean > 0
    True
    """
    scale = check_integer(scale, "scale", 1, MAX_SCALE)
    edgefactor = checks.count(edgefactor, "edgefactor")
    checks.not_negative(max_wait, "max_wait")
    searches, seed = checks.count(searches, "searches"), check_integer(seed, "seed")
    if energy_s is not None:
        energy_s = checks.positive(energy_s, "energy_s")
    if not isinstance(algorithms, Iterable):
        raise DomainMismatch(f"algorithms must be names, not {type(algorithms).__name__}")
    names = (algorithms,) if isinstance(algorithms, str) else tuple(dict.fromkeys(algorithms))
    if not names:
        raise InvalidValue(f"algorithms is empty: choose of {KERNELS}")
    there = engines.objects(engine)
    if engine == "cuda":
        there.require()
    chosen = [_chosen(name, kernel, engine) for name in names]

    weighted = any(ALGORITHMS[i.algorithm].weights for i in chosen)
    room(edgefactor << scale, weighted, engine)
    options: dict[str, Any] = {"edgefactor": edgefactor, "seed": seed, "weighted": weighted}
    with Progress(progress, "edges and graph", 3) as bar:
        _construct(kronecker(min(scale, SMALL), engine=engine, **options), chosen)
        bar.step()
        generation_s, edges = _timed(engine, partial(kronecker, scale, engine=engine, **options))
        bar.step()
        construction_s, forms = _timed(engine, partial(_construct, edges, chosen))
        bar.step()
    roots = edges.search_keys(searches, seed)
    kernels = []
    for i, (G, prepared) in zip(chosen, forms, strict=True):
        shown = Progress(progress, i.algorithm, len(roots))
        with shown as bar, guarded(max_wait) as conditions:
            seconds, validate_s, nedge = _searches(i, G, prepared, edges, roots, bar)
        spent, reason = _energy(i, prepared, roots, energy_s)
        about = i.algorithm, i.name, i.family, i.returns
        kernels.append(Kernel(*about, seconds, validate_s, spent, reason, conditions))
    return Result(
        scale, edgefactor, seed, engine, tuple(roots), nedge, generation_s, construction_s,
        tuple(kernels),
        {
            "date": measure.now(),
            "commit": measure.commit(),
            "machine": measure.machine(),
            "versions": measure.versions(sorted({i.library for i in chosen if i.library})),
            "nvals": int(forms[0][0].A.nvals),
        },
    )  # fmt: skip


def _chosen(algorithm: str, kernel: str, engine: str) -> Implementation:
    """Return the one implementation of a name, or family, that gives parents."""
    checks.one_of(algorithm, KERNELS, "algorithm")
    able = [i for i in implementations(algorithm, engine) if "parents" in i.returns]
    found = [i for i in able if kernel in (i.name, i.family)]
    if len(found) != 1:
        known = ", ".join(f"{i.name} ({i.family})" for i in able)
        which = "is more than one" if found else "is none"
        raise InvalidValue(
            f"kernel {kernel!r} {which} of the implementations of {algorithm} on engine "
            f"{engine!r}: {known}"
        )
    return found[0]


def _construct(edges: EdgeList, chosen: Sequence[Implementation]) -> list[tuple[Any, Any]]:
    """Return for each implementation the graph as it sees it, and its own form of that."""
    G = edges.graph()
    forms = []
    for i in chosen:
        view = ALGORITHMS[i.algorithm].view(G)
        if refusal := i.refuses(view):
            raise InvalidValue(f"kernel {i.name!r} does not run on this graph: {refusal}")
        forms.append((view, i.prepare(copy(view))))
    return forms


def _searches(
    i: Implementation, G: Any, prepared: Any, edges: EdgeList, roots: Sequence[int], bar: Progress
) -> tuple[tuple[float, ...], tuple[float, ...], tuple[int, ...]]:
    """Search from each key; return the seconds, those of the checks, and the edges traversed."""
    _check(i, G, edges, roots[0], _search(i, prepared, roots[0]))
    found, spins = [], i.engine == "cpu"  # threads of a runtime, after their work
    gc.collect()
    gc.freeze()  # the collection before each timing does not walk what is there already
    try:
        for root in roots:
            took, result = measure.quietly_timed(partial(_search, i, prepared, root), pause=spins)
            checked, traversed = _timed(i.engine, partial(_check, i, G, edges, root, result))
            found.append((took, checked, traversed))
            del result  # not inside the next timing
            bar.step()
    finally:
        gc.unfreeze()
    seconds, validate_s, nedge = zip(*found, strict=True)
    return seconds, validate_s, nedge


def _timed(engine: str, call: Any) -> tuple[float, Any]:
    """Return (seconds, result) of a call, up to the end of the device's work."""

    def whole() -> Any:
        result = call()
        measure.synchronise(engine)
        return result

    return measure.timed(whole)


def _search(i: Implementation, prepared: Any, root: int) -> Any:
    result = i.run(prepared, root)
    measure.synchronise(i.engine)
    return result


def _check(i: Implementation, G: Any, edges: EdgeList, root: int, found: Any) -> int:
    """Check a result on the engine; return the number of input edges that it has traversed."""
    result = i.result(G, found)
    xp = edges.xp
    claimed = xp.asarray(result.parent.to_dense(fill_value=-1))
    parent = claimed.astype(edges.src.dtype)
    try:
        fail_where(parent != claimed, "check 1: the parent of vertex {} is {}: no vertex", claimed)
        if i.algorithm == "bfs":
            level = result.level
            if level is not None:
                level = xp.asarray(level.to_dense(fill_value=-1))
            validate_bfs(edges, root, parent, level)
        else:
            distance = result.distance.to_dense(fill_value=float("inf"), dtype=float)
            validate_sssp(edges, root, parent, xp.asarray(distance))
    except VerificationError as error:
        raise VerificationError(f"{i.name}: {i.algorithm} from vertex {root}: {error}") from None
    return edges.edges_within(parent >= 0)


def _energy(
    i: Implementation, prepared: Any, roots: Sequence[int], seconds: float | None
) -> tuple[energy.Energy | None, str | None]:
    """Return what the searches take, or why no counter can be read."""
    if seconds is None:
        return None, None

    def work() -> None:
        for root in roots:
            _search(i, prepared, root)

    try:
        return energy.measure(energy.counter(i.engine), work, seconds), None
    except NoCounter as error:
        return None, str(error)
