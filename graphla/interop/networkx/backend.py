"""NetworkX's backend interface: graph conversion, `can_run`, `should_run`, and the functions.

A function's module is imported on first use. Calls are counted in `calls`, and graphla's errors
are translated into NetworkX's.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from itertools import islice
from typing import Any

import networkx as nx

from graphla.errors import (
    ConvergenceFailure,
    DomainMismatch,
    InvalidGraph,
    InvalidValue,
    NegativeCycle,
    NegativeWeight,
    OutOfMemory,
    SymmetricStructureRequired,
)
from graphla.interop.networkx import convert, dispatch
from graphla.interop.networkx.info import FUNCTIONS
from graphla.interop.networkx.labelled_graph import LabelledGraph

REFUSALS = (  # graphla does not support the input; NetworkX may run the call itself
    DomainMismatch,
    InvalidGraph,
    InvalidValue,
    NegativeWeight,
    OutOfMemory,
    SymmetricStructureRequired,
)

CACHE_WARNING: Any = (  # an entry of warnings.filters
    "ignore",
    re.compile("(?s)Note: conversions to backend graphs .*'graphla' backend", re.IGNORECASE),
    UserWarning,
    None,
    0,
)

calls: Counter[str] = Counter()
"""Number of calls of each function by NetworkX."""

should_run = dispatch.should_run


def convert_from_nx(
    G: Any,
    *,
    edge_attrs: dict | None = None,
    node_attrs: dict | None = None,
    preserve_edge_attrs: bool = False,
    preserve_node_attrs: bool = False,
    preserve_graph_attrs: bool = False,
    name: str | None = None,
    graph_name: str | None = None,
) -> Any:
    """Convert a NetworkX graph, with the attributes that the function `name` needs."""
    if isinstance(preserve_edge_attrs, dict):  # {argument: {attribute: default}}
        edge_attrs, preserve_edge_attrs = preserve_edge_attrs.get(graph_name), False
    H = convert.from_networkx(
        G,
        edge_attrs=edge_attrs,
        node_attrs=node_attrs,
        nodes_too=preserve_node_attrs,
        edges_too=preserve_edge_attrs,
    )
    H.calls = 0
    return H


def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
    """Convert a graph of this backend to a NetworkX graph; return anything else unchanged."""
    return convert.to_networkx(result) if isinstance(result, LabelledGraph) else result


def can_run(name: str, args: tuple, kwargs: dict) -> bool | str:
    """Return True, or the reason why a call cannot run here."""
    return dispatch.refusal(name, args, kwargs) or True


def on_start_tests(items: list) -> None:
    """Mark NetworkX's own tests that are known to fail here as xfail, with the reason."""
    import pytest

    from graphla.interop.networkx.expected_failures import EXPECTED_FAILURES

    for item in items:
        for suffix, reason in EXPECTED_FAILURES.items():
            if item.nodeid.endswith(suffix):
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))


def __getattr__(name: str) -> Any:
    """Return a function of `FUNCTIONS`, wrapped to count calls and translate errors.

    A generator function is advanced to its first item by the call itself (see `_start`).
    """
    if name not in FUNCTIONS:
        raise AttributeError(f"the graphla backend has no function {name!r}")
    function = dispatch.load_function(name)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        calls[name] += 1
        _silence_cache_warning(args)
        with networkx_errors():
            return function(*args, **kwargs)

    @wraps(function)
    def generate(*args: Any, **kwargs: Any) -> Iterator[Any]:
        calls[name] += 1
        _silence_cache_warning(args)
        return _start(function(*args, **kwargs))

    globals()[name] = generate if inspect.isgeneratorfunction(function) else call
    return globals()[name]


def _silence_cache_warning(args: tuple) -> None:
    """Ignore NetworkX's warning about cached conversions from the second call with one on.

    NetworkX issues it in every such call, and names the function in it, so that Python's filters
    show it once per function. This filter is for conversions to this backend only.
    """
    G = args[0] if args else None
    if isinstance(G, LabelledGraph) and G.calls is not None:
        G.calls += 1
        if G.calls > 1 and CACHE_WARNING not in warnings.filters:
            warnings.filterwarnings("ignore", CACHE_WARNING[1].pattern, UserWarning)


def _start(items: Iterator[Any]) -> Iterator[Any]:
    """Compute the first item, and return a generator of all items.

    NotImplementedError is raised by the call itself, because NetworkX falls back to its own
    implementation only then. NetworkX's errors and ValueError are raised by the first `next`,
    as NetworkX's generators do.
    """
    first: list = []
    failure = None
    try:
        with networkx_errors():
            first = list(islice(items, 1))
    except (nx.NetworkXException, ValueError) as error:
        failure = error
    return _resume(first, items, failure)


def _resume(first: list, rest: Iterator[Any], failure: Exception | None) -> Iterator[Any]:
    if failure is not None:
        raise failure
    yield from first
    with networkx_errors():
        yield from rest


@contextmanager
def networkx_errors() -> Iterator[None]:
    """Translate graphla's errors into NetworkX's.

    Unsupported input (`REFUSALS`) becomes NotImplementedError, on which NetworkX falls back to
    its own implementation if it chose this backend itself.
    """
    try:
        yield
    except NegativeCycle as error:
        raise nx.NetworkXUnbounded("Negative cycle detected.") from error
    except ConvergenceFailure as error:
        raise nx.PowerIterationFailedConvergence(error.iterations) from error
    except REFUSALS as error:
        raise NotImplementedError(str(error)) from error
