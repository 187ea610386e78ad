"""The implementations that :func:`graphla.compare` can run: one entry for each algorithm of each.

graphla's own entries are found by name: a function of the package is the algebraic form, on each
engine, and a function of :mod:`graphla.native` is the hand-written form. All others come from the
tables in `peers/`, one file a library, or are added by a program through :func:`register`.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from graphla.comparison.implementation import FAMILIES, Implementation
from graphla.core import engines, validation
from graphla.native.dispatch import has_kernel, kernel_module

if TYPE_CHECKING:
    from graphla.comparison.algorithms import Algorithm
    from graphla.core.graph import Graph

STRUCTURE = ("AT", "out_degree", "in_degree", "max_out_degree", "is_symmetric", "nself_edges")
WEIGHTS = ("min_weight", "max_weight", "mean_weight", "has_nan")
ARRAYS = ("csr", "csr_transposed")


__all__ = [
    "FAMILIES",
    "Implementation",
    "all_implementations",
    "implementations",
    "register",
    "unregister",
]

_registered: dict[tuple[str, str], Implementation] = {}


def register(implementation: Implementation) -> Implementation:
    """Add an implementation to all comparisons, or replace the one of the same name.

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

    validation.check_choice(implementation.algorithm, tuple(ALGORITHMS), "algorithm")
    validation.check_choice(implementation.family, FAMILIES, "family")
    _registered[implementation.algorithm, implementation.name] = implementation
    return implementation


def unregister(implementation: Implementation) -> None:
    """Remove an implementation that :func:`register` has added."""
    _registered.pop((implementation.algorithm, implementation.name), None)


def implementations(
    algorithm: str | None = None, engine: str | None = None
) -> tuple[Implementation, ...]:
    """Return those that can run here, of one algorithm or engine or of all; graphla's first."""
    installed = [
        i
        for i in all_implementations()
        if algorithm in (None, i.algorithm)
        and engine in (None, i.engine)
        and (i.library is None or find_spec(i.library) is not None)
    ]
    available = {name: engines.available(name) for name in {i.engine for i in installed} - {"cpu"}}
    return tuple(i for i in installed if available.get(i.engine, True))


def all_implementations() -> tuple[Implementation, ...]:
    """Return all implementations, whether they can run here or not."""
    built_in = {(i.algorithm, i.name): i for i in (*_graphla_entries(), *_peer_entries())}
    return tuple((built_in | _registered).values())


@cache
def _peer_entries() -> tuple[Implementation, ...]:
    """Return the tables of all modules of `peers/`, sorted by family."""
    from graphla.comparison import peers

    modules = (m.name for m in iter_modules(peers.__path__, f"{peers.__name__}."))
    entries = [i for module in modules for i in import_module(module).IMPLEMENTATIONS]
    return tuple(sorted(entries, key=lambda i: FAMILIES.index(i.family)))


@cache
def _graphla_entries() -> tuple[Implementation, ...]:
    """Return the algebraic and the native entries of every algorithm."""
    import graphla as gl
    from graphla.comparison.algorithms import ALGORITHMS

    entries = []
    for algorithm in ALGORITHMS.values():
        cached = (*STRUCTURE, *(WEIGHTS if algorithm.weights else ()))
        sorts_edges = algorithm.name == "minimum_spanning_forest"
        ranks = ("ranks",) if sorts_edges else ()
        entries.append(_entry("graphla", "algebraic", algorithm, gl, (*cached, *ranks)))
        entries.append(
            _entry("graphla-cuda", "algebraic", algorithm, gl, (*cached, *ranks), "cuda")
        )
        if hasattr(gl.native, algorithm.name):
            arrays = () if sorts_edges else ARRAYS
            entries.append(_entry("native", "native", algorithm, gl.native, (*cached, *arrays)))
            if has_kernel(_kernel_file(algorithm), "cuda"):
                entries.append(
                    _entry("native-cuda", "native", algorithm, gl.native, cached, "cuda")
                )
    return tuple(entries)


def _kernel_file(algorithm: Algorithm) -> str:
    """Return the name of the file of an algorithm's native kernel."""
    return algorithm.variant_of or algorithm.name


def _complete(result: Any) -> None:
    """Finish the work that SuiteSparse has deferred."""
    if isinstance(result, tuple):
        for part in result:
            _complete(part)
    elif hasattr(result, "wait"):
        result.wait()


def _entry(
    name: str,
    family: str,
    algorithm: Algorithm,
    module: Any,
    cached: Iterable[str],
    engine: str = "cpu",
) -> Implementation:
    function = getattr(module, algorithm.name)

    def run(G: Graph, start: Any) -> Any:
        result = algorithm.call(function, G, start)
        _complete(result)
        return result

    def prepare(G: Graph) -> Graph:
        H = (copy(G) if G.engine == engine else G.to(engine)).cache(*cached)
        if family == "native":
            module = import_module(kernel_module(_kernel_file(algorithm), engine))
            if hasattr(module, "prepare"):  # builds what all calls on H share
                module.prepare(H)
        return H

    return Implementation(
        name, algorithm.name, algorithm.returns, run, prepare, family=family, engine=engine
    )
