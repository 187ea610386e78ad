"""The engine's part of a transform, and what all of them do with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar, cast

from graphla.core import validation
from graphla.errors import InvalidValue

if TYPE_CHECKING:
    from graphla.core.graph import Graph
    from graphla.core.properties import CSR
    from graphla.transform.rows import Rows

F = TypeVar("F", bound=Callable[..., Any])
MOST = 1 << 32  # vertices: two of them fit in a word


def engine_for(G: Graph) -> Any:
    """Return the module with the arrays and loops of the graph's engine."""
    validation.room(G)
    if G.n > MOST:
        raise InvalidValue(f"transforms take graphs of up to 2^32 vertices; this has n={G.n:,}")
    return module(G.engine)


def refusing(function: F) -> F:
    """Let a function of something on an engine tell in graphla's words that memory has ended."""

    @wraps(function)
    def told(x: Any, *args: Any, **options: Any) -> Any:
        if getattr(x, "engine", "cpu") == "cpu":
            return function(x, *args, **options)
        from graphla.cuda.expressions import execute

        return execute.refusing(function)(x, *args, **options)

    return cast(F, told)


def module(engine: str) -> Any:
    """Return the module with the arrays and loops of an engine."""
    return import_module(f"graphla.transform.{engine}")


def lists(G: Graph | Rows) -> tuple[Any, Rows]:
    """Return the engine's module, and the lists of neighbours of a graph, or Rows as they are."""
    from graphla.transform.rows import Rows

    if isinstance(G, Rows):
        return module(G.engine), G
    here = engine_for(G)
    indptr, indices, values = here.entries(G)
    return here, Rows(G.n, indptr, indices, values, "column", G.kind, G.engine)


def degrees(G: Graph) -> Any:
    """Return the out-degrees as an array."""
    return G.out_degree.to_dense()


def by_degree(G: Graph) -> Any:
    """Return the vertices by descending degree; those of equal degree by number."""
    return (-degrees(G)).argsort(kind="stable")


def graph(rows: CSR, G: Graph, dtype: Any = None) -> Graph:
    """Return the Graph of rows with ascending columns, of the kind and dtype of another."""
    from graphla.core.graph import Graph

    made = Graph.__new__(Graph)
    made.__setstate__((engine_for(G).matrix(rows, dtype or G.dtype), G.kind))
    return made


def inverse(order: Any, n: int, xp: Any) -> Any:
    """Return the place of each of 0..n-1 in `order`, or -1."""
    place = xp.full(n, -1, order.dtype)
    place[order] = xp.arange(order.size, dtype=order.dtype)
    return place
