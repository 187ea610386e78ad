"""A run of the benchmark: generate, construct, draw keys, search, validate, measure energy."""

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
from graphla.core import engines, validation
from graphla.core.display import Progress
from graphla.errors import DomainMismatch, InvalidValue, NoCounter, VerificationError
from graphla.generate.builder import check_integer
from graphla.graph500 import energy
from graphla.graph500.edges import MAX_SCALE, EdgeList, check_memory, kronecker
from graphla.graph500.result import Kernel, Result
from graphla.graph500.validation import NOT_A_VERTEX, validate_bfs, validate_sssp
from graphla.verify.assertions import fail_where

KERNELS = ("bfs", "sssp")  # kernels 2 and 3 of the benchmark
SMALL_SCALE = 8  # scale of a first graph, on which code is compiled before the timing


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
        Where edges are generated, the graph is built and searched, and results are validated.
    kernel : str
        Implementation of the searches, or its family: "algebraic", "native", or the name of an
        implementation in :func:`graphla.compare` that returns parents, such as "scipy".
    algorithms : {"bfs", "sssp"} or sequence of them
        With "sssp" edges have weights, uniform in [0, 1).
    searches : int, default 64
        Search keys, drawn among the vertices with an edge to another vertex; all of them if
        there are fewer. A valid submission has 64.
    seed : int
        Of edges, weights and keys, which are the same on both engines.
    max_wait : float
        Longest wait in seconds for a quiet machine before the searches of an algorithm, as in
        :func:`graphla.compare`.
    energy_s : float, optional
        Also repeat all searches for at least this many seconds between two readings of the engine's
        energy counter; GreenGraph500 requires at least 10.
    progress : bool
        Show progress bars of the construction and of the searches.

    Returns
    -------
    Result

    Raises
    ------
    DomainMismatch, InvalidValue
        An argument has a wrong type or is out of range; an unknown kernel or algorithm.
    EngineUnavailable
        The engine cannot run here.
    OutOfMemory, OutOfDeviceMemory
        The graph does not fit.
    VerificationError
        A search result is wrong: the run is invalid.

    Notes
    -----
    The construction time begins with the edge list in memory and includes all that the
    implementations prepare for their searches. Code that compiles on first use is run before:
    on a small graph, and in one additional search of each algorithm, as in the reference code.
    A search's time includes the allocation of its result, but not edge counts and validation.

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
    edgefactor = validation.check_count(edgefactor, "edgefactor")
    validation.check_not_negative(max_wait, "max_wait")
    searches, seed = validation.check_count(searches, "searches"), check_integer(seed, "seed")
    if energy_s is not None:
        energy_s = validation.check_positive(energy_s, "energy_s")
    if not isinstance(algorithms, Iterable):
        raise DomainMismatch(f"algorithms must be names, not {type(algorithms).__name__}")
    names = (algorithms,) if isinstance(algorithms, str) else tuple(dict.fromkeys(algorithms))
    if not names:
        raise InvalidValue(f"algorithms is empty: choose of {KERNELS}")
    engine_objects = engines.objects(engine)
    if engine == "cuda":
        engine_objects.require()
    selected = [_select(name, kernel, engine) for name in names]

    weighted = any(ALGORITHMS[i.algorithm].weights for i in selected)
    check_memory(edgefactor << scale, weighted, engine)
    options: dict[str, Any] = {"edgefactor": edgefactor, "seed": seed, "weighted": weighted}
    with Progress(progress, "edges and graph", 3) as bar:
        _construct(kronecker(min(scale, SMALL_SCALE), engine=engine, **options), selected)
        bar.step()
        generation_s, edges = _timed(engine, partial(kronecker, scale, engine=engine, **options))
        bar.step()
        construction_s, graphs = _timed(engine, partial(_construct, edges, selected))
        bar.step()
    roots = edges.search_keys(searches, seed)
    kernels = []
    for i, (G, prepared) in zip(selected, graphs, strict=True):
        progress_bar = Progress(progress, i.algorithm, len(roots))
        with progress_bar as bar, guarded(max_wait) as conditions:
            seconds, validate_s, nedge = _run_searches(i, G, prepared, edges, roots, bar)
        measured, no_energy = _measure_energy(i, prepared, roots, energy_s)
        kernels.append(
            Kernel(
                i.algorithm, i.name, i.family, i.returns,
                seconds, validate_s, measured, no_energy, conditions,
            )
        )  # fmt: skip
    return Result(
        scale, edgefactor, seed, engine, tuple(roots), nedge, generation_s, construction_s,
        tuple(kernels),
        {
            "date": measure.now(),
            "commit": measure.commit(),
            "machine": measure.machine(),
            "versions": measure.versions(sorted({i.library for i in selected if i.library})),
            "nvals": int(graphs[0][0].A.nvals),
        },
    )  # fmt: skip


def _select(algorithm: str, kernel: str, engine: str) -> Implementation:
    """Return the one implementation of a name or family that returns parents."""
    validation.check_choice(algorithm, KERNELS, "algorithm")
    usable = [i for i in implementations(algorithm, engine) if "parents" in i.returns]
    matches = [i for i in usable if kernel in (i.name, i.family)]
    if len(matches) != 1:
        known = ", ".join(f"{i.name} ({i.family})" for i in usable)
        raise InvalidValue(
            f"kernel {kernel!r} matches {len(matches)} implementations of {algorithm} on engine "
            f"{engine!r}, expected 1 of: {known}"
        )
    return matches[0]


def _construct(edges: EdgeList, selected: Sequence[Implementation]) -> list[tuple[Any, Any]]:
    """Return (graph as the algorithm reads it, prepared graph) for each implementation."""
    G = edges.graph()
    graphs = []
    for i in selected:
        view = ALGORITHMS[i.algorithm].view(G)
        if refusal := i.refuses(view):
            raise InvalidValue(f"kernel {i.name!r} does not run on this graph: {refusal}")
        graphs.append((view, i.prepare(copy(view))))
    return graphs


def _run_searches(
    i: Implementation, G: Any, prepared: Any, edges: EdgeList, roots: Sequence[int], bar: Progress
) -> tuple[tuple[float, ...], tuple[float, ...], tuple[int, ...]]:
    """Search from each key; return search times, validation times and traversed edges."""
    _validate(i, G, edges, roots[0], _search(i, prepared, roots[0]))
    searches, pause = [], i.engine == "cpu"  # only threads on the CPU spin after their work
    gc.collect()
    gc.freeze()  # the collection before each search skips the objects that exist already
    try:
        for root in roots:
            search_s, result = measure.quietly_timed(
                partial(_search, i, prepared, root), pause=pause
            )
            check_s, traversed = _timed(i.engine, partial(_validate, i, G, edges, root, result))
            searches.append((search_s, check_s, traversed))
            del result  # freed outside the next timing
            bar.step()
    finally:
        gc.unfreeze()
    seconds, validate_s, nedge = zip(*searches, strict=True)
    return seconds, validate_s, nedge


def _timed(engine: str, call: Any) -> tuple[float, Any]:
    """Return (seconds, result) of a call with a synchronisation of the device."""

    def synchronised() -> Any:
        result = call()
        measure.synchronise(engine)
        return result

    return measure.timed(synchronised)


def _search(i: Implementation, prepared: Any, root: int) -> Any:
    result = i.run(prepared, root)
    measure.synchronise(i.engine)
    return result


def _validate(i: Implementation, G: Any, edges: EdgeList, root: int, own_result: Any) -> int:
    """Validate a search result on the engine; return the number of traversed input edges."""
    result = i.result(G, own_result)
    xp = edges.xp
    wide_parent = xp.asarray(result.parent.to_dense(fill_value=-1))
    parent = wide_parent.astype(edges.src.dtype)
    try:
        fail_where(parent != wide_parent, NOT_A_VERTEX, wide_parent)
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


def _measure_energy(
    i: Implementation, prepared: Any, roots: Sequence[int], seconds: float | None
) -> tuple[energy.Energy | None, str | None]:
    """Return the energy of the searches, or the reason why no counter can be read."""
    if seconds is None:
        return None, None

    def work() -> None:
        for root in roots:
            _search(i, prepared, root)

    try:
        return energy.measure_energy(energy.open_counter(i.engine), work, seconds), None
    except NoCounter as error:
        return None, str(error)
