"""What can be compared: one entry for each implementation of each algorithm.

graphla's own are found by name: a function of the package is the algebra, which runs on the
engines that there are, one of :mod:`graphla.native` is written by hand; those of the
STAR-machine stand in :mod:`graphla.comparison.peers.star_machine`. Peers stand in
`peers/`, a file a library, each with a table of entries. A program adds its own by
:func:`register`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, NamedTuple

from graphla.core import engines
from graphla.errors import InvalidValue

if TYPE_CHECKING:
    from graphla.core.graph import Graph

STRUCTURE = ("AT", "out_degree", "in_degree", "max_out_degree", "is_symmetric", "nself_edges")
WEIGHTS = ("min_weight", "max_weight", "mean_weight", "has_nan")
ARRAYS = ("csr", "csr_transposed")
FAMILIES = ("algebraic", "native", "associative", "peer")


class Implementation(NamedTuple):
    """One way to run an algorithm.

    Parameters
    ----------
    name : str
        Unique within an algorithm.
    algorithm : str
        A name of :data:`graphla.comparison.algorithms.ALGORITHMS`.
    returns : str
        What the timed call gives: "levels, parents", "distances", "forest", ...
    run : callable
        (prepared, start) -> the library's own result; this is timed.
    prepare : callable
        Graph -> the form of it that `run` takes; not timed as a trial, but
        reported. It need not leave the graph as it is given, and leaves its
        matrix so. Where that is a Graph on engine "cuda", results are checked on it,
        but those of a peer.
    result : callable
        (Graph, that result) -> it as graphla's result type, for the check, on any engine;
        fields that it does not give are None.
    refuses : callable
        Graph -> None, or why it does not run on it.
    family : {"algebraic", "native", "associative", "peer"}
    engine : {"cpu", "cuda"}
        One that cannot run here is left out. On "cuda" the clock stops when the
        device has done its work.
    library : str, optional
        Package that must be installed.
    """

    name: str
    algorithm: str
    returns: str
    run: Callable[[Any, Any], Any]
    prepare: Callable[[Graph], Any] = lambda G: G
    result: Callable[[Graph, Any], Any] = lambda G, result: result
    refuses: Callable[[Graph], str | None] = lambda G: None
    family: str = "peer"
    engine: str = "cpu"
    library: str | None = None


_registered: dict[tuple[str, str], Implementation] = {}


def register(implementation: Implementation) -> Implementation:
    """Add an implementation to what is compared, or replace the one of its name.

    Examples
    --------
    >>> from scipy.sparse.csgraph import connected_components
    >>> from graphla.comparison import implementations
    >>> mine = implementations.Implementation(
    ...     name="mine",
    ...     algorithm="triangle_count",
    ...     returns="count",
    ...     run=lambda S, start: int(((S @ S) * S).sum()) // 6,
    ...     prepare=lambda G: G.A.to_dense(dtype="INT64", fill_value=0),
    ... )
    >>> implementations.register(mine).name
    'mine'
    >>> "mine" in [i.name for i in implementations.implementations("triangle_count")]
    True
    >>> implementations.unregister(mine)
    """
    from graphla.comparison.algorithms import ALGORITHMS

    for value, known, what in (
        (implementation.algorithm, tuple(ALGORITHMS), "algorithm"),
        (implementation.family, FAMILIES, "family"),
    ):
        if value not in known:
            raise InvalidValue(f"{what} {value!r} is none of: {', '.join(known)}")
    _registered[implementation.algorithm, implementation.name] = implementation
    return implementation


def unregister(implementation: Implementation) -> None:
    """Take back what :func:`register` added."""
    _registered.pop((implementation.algorithm, implementation.name), None)


def implementations(
    algorithm: str | None = None, engine: str | None = None
) -> tuple[Implementation, ...]:
    """Return what is installed, of one algorithm or engine or of all: graphla's own first."""
    found = [
        i
        for i in everything()
        if algorithm in (None, i.algorithm)
        and engine in (None, i.engine)
        and (i.library is None or find_spec(i.library) is not None)
    ]
    runs = {name: engines.available(name) for name in {i.engine for i in found} - {"cpu"}}
    return tuple(i for i in found if runs.get(i.engine, True))


def everything() -> tuple[Implementation, ...]:
    """Return all that there is, whether it can run here or not."""
    own = {(i.algorithm, i.name): i for i in (*_own(), *_peers())}
    return tuple((own | _registered).values())


@cache
def _peers() -> tuple[Implementation, ...]:
    """Return the tables of all modules of `peers/`, those of graphla (the STAR-machine) first."""
    from graphla.comparison import peers

    modules = (m.name for m in iter_modules(peers.__path__, f"{peers.__name__}."))
    entries = [i for module in modules for i in import_module(module).IMPLEMENTATIONS]
    return tuple(sorted(entries, key=lambda i: FAMILIES.index(i.family)))


@cache
def _own() -> tuple[Implementation, ...]:
    """Make the entries of graphla: the algebra, and its native twins where there are any."""
    import graphla as gl
    from graphla.comparison.algorithms import ALGORITHMS

    found = []
    for a in ALGORITHMS.values():
        weights = WEIGHTS if a.weights else ()
        order = a.name == "minimum_spanning_forest"  # of the edges by weight, in either form
        keeps = (*STRUCTURE, *weights, *(("ranks",) if order else ()))
        found.append(_entry("graphla", "algebraic", a, gl, keeps))
        found.append(_entry("graphla-cuda", "algebraic", a, gl, keeps, "cuda"))
        if hasattr(gl.native, a.name):
            keeps = (*STRUCTURE, *weights, *(("csr_by_weight",) if order else ARRAYS))
            found.append(_entry("native", "native", a, gl.native, keeps))
        if hasattr(gl.native, a.name) and find_spec(_on_device(a)):
            keeps = (*STRUCTURE, *weights)
            found.append(_entry("native-cuda", "native", a, gl.native, keeps, "cuda"))
    return tuple(found)


def _on_device(a: Any) -> str:
    """Return the module of an algorithm's native twin on engine "cuda", if there is one."""
    return f"graphla.native.cuda.{a.variant_of or a.name}"


def _complete(result: Any) -> None:
    """Do what SuiteSparse has put off."""
    if isinstance(result, tuple):
        for part in result:
            _complete(part)
    elif hasattr(result, "wait"):
        result.wait()


def _entry(
    name: str, family: str, a: Any, home: Any, keeps: Iterable[str], engine: str = "cpu"
) -> Implementation:
    function = getattr(home, a.name)

    def run(G: Graph, start: Any) -> Any:
        result = function(G) if a.start is None else function(G, start)
        _complete(result)
        return result

    def prepare(G: Graph) -> Graph:
        H = (copy(G) if G.engine == engine else G.to(engine)).cache(*keeps)
        if (family, engine) == ("native", "cuda"):  # what its calls share has a function
            module = import_module(_on_device(a))
            module.prepare(H)
        return H

    return Implementation(name, a.name, a.returns, run, prepare, family=family, engine=engine)
