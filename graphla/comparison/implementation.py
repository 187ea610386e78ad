"""The record of one implementation of an algorithm, as the tables of `peers/` list them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from graphla.core.graph import Graph

FAMILIES = ("algebraic", "native", "associative", "peer")


class Implementation(NamedTuple):
    """An implementation of an algorithm, and how to prepare, call and check it.

    Parameters
    ----------
    name : str
        Unique within an algorithm.
    algorithm : str
        A name of :data:`graphla.comparison.algorithms.ALGORITHMS`.
    returns : str
        The kind of result of the timed call: "levels, parents", "distances", "forest", ...
    run : callable
        (prepared, start) -> the library's own result; this call is timed.
    prepare : callable
        Graph -> the input of `run`; timed separately. It may cache properties in the graph but
        must not change its matrix. If it returns a Graph on engine "cuda", results are verified
        on that graph (except those of a peer).
    result : callable
        (Graph, the library's result) -> graphla's result type on any engine, for verification;
        fields that the library does not compute are None.
    refuses : callable
        Graph -> None, or the reason why the implementation does not run on it.
    family : {"algebraic", "native", "associative", "peer"}
    engine : {"cpu", "cuda"}
        Entries whose engine is not available are left out. On "cuda" the timing includes a
        synchronisation with the device.
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
