"""Messages of errors that name the word a caller probably meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from inspect import signature
from typing import Any

SYNONYMS = {  # words of other libraries -> ours
    "alpha": ("damping",),
    "damping_factor": ("damping",),
    "directed": ("kind",),
    "duplicates": ("dup",),
    "max_iterations": ("max_iter",),
    "maxiter": ("max_iter",),
    "num_nodes": ("n",),
    "src": ("source", "sources"),
    "source": ("src",),
    "start": ("source",),
    "target": ("dst",),
    "tolerance": ("tol",),
    "vertex": ("source",),
    "weight": ("weights",),
    "dijkstra": ("sssp",),
    "breadth_first_search": ("bfs",),
}


def networkx_conversion(x: Any) -> str | None:
    """Return how to convert `x`, with its weights, if it is a graph of NetworkX, else None."""
    if not any(c.__module__.startswith("networkx.classes") for c in type(x).__mro__):
        return None
    weighted = any("weight" in data for _, _, data in x.edges(data=True))
    attributes, weight = (', edge_attrs={"weight": 1}', '"weight"') if weighted else ("", "")
    return (
        f"graphla.interop.networkx.from_networkx(G{attributes}).graph({weight}) makes it from a "
        "graph of NetworkX"
    )


def suggest(name: str, known: Iterable[str]) -> str:
    """Return ": did you mean ...?" with a known word, empty if none is close.

    Examples
    --------
    >>> suggest("page_rank", ["pagerank", "bfs"])
    ": did you mean 'pagerank'?"
    >>> suggest("alpha", ["damping", "tol"])
    ": did you mean 'damping'?"
    """
    known = list(known)
    found = [word for word in SYNONYMS.get(name, ()) if word in known]
    found = found or get_close_matches(name, known, n=1)
    return f": did you mean {found[0]!r}?" if found else ""


def unknown_name(module: str, name: str, known: Iterable[str]) -> AttributeError:
    """Return the error for a name that a module does not have, with a suggestion for public ones.

    Examples
    --------
    >>> str(unknown_name("graphla", "dijkstra", ["bfs", "sssp"]))
    "module 'graphla' has no attribute 'dijkstra': did you mean 'sssp'?"
    """
    hint = "" if name.startswith("_") else suggest(name, known)
    return AttributeError(f"module {module!r} has no attribute {name!r}{hint}", name=name)


def unknown_argument(
    function: Callable, kwargs: dict[str, Any], title: str | None = None
) -> str | None:
    """Return a message on a keyword that a function does not have, None if it has them all.

    The message calls the function `title`, by default its name.
    """
    parameters = signature(function).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return None
    known = [name for name in parameters if name not in ("self", "cls")]
    if not (unknown := [name for name in kwargs if name not in known]):
        return None
    name = unknown[0]
    message = f"{title or f'{function.__qualname__}()'} has no argument {name!r}"
    if name == "directed":
        kind = "directed" if kwargs[name] else "undirected"
        if "kind" not in known:
            return f"{message}; a graph has a kind: Graph.from_edges(..., kind={kind!r})"
        return f"{message}: did you mean kind={kind!r}?"
    return message + (suggest(name, known) or f"; it has {', '.join(known)}")
