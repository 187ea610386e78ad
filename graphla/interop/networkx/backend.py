"""The backend as NetworkX sees it: conversions, what can and should run here, its functions.

Each function is loaded with its file on first use, counted in `calls`, and its errors
become those that NetworkX raises.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
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

REFUSALS = (
    DomainMismatch,
    InvalidGraph,
    InvalidValue,
    NegativeWeight,
    OutOfMemory,
    SymmetricStructureRequired,
)

calls: Counter[str] = Counter()
"""How often NetworkX called each function here."""

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
    """Convert a NetworkX graph, with the attributes that a function of `name` needs."""
    if isinstance(preserve_edge_attrs, dict):  # {argument: {attribute: default}}
        edge_attrs, preserve_edge_attrs = preserve_edge_attrs.get(graph_name), False
    return convert.from_networkx(
        G,
        edge_attrs=edge_attrs,
        node_attrs=node_attrs,
        nodes_too=preserve_node_attrs,
        edges_too=preserve_edge_attrs,
    )


def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
    """Convert a graph of this backend back; anything else is left as it is."""
    return convert.to_networkx(result) if isinstance(result, LabelledGraph) else result


def can_run(name: str, args: tuple, kwargs: dict) -> bool | str:
    """Return True, or why a call cannot run here."""
    bound = inspect.signature(_function(name)).bind(*args, **kwargs)
    bound.apply_defaults()
    return dispatch.refusal(name, bound.arguments) or True


def on_start_tests(items: list) -> None:
    """Mark the tests of NetworkX that are known to fail here, with the reason."""
    import pytest

    from graphla.interop.networkx.expected_failures import EXPECTED_FAILURES

    for item in items:
        for end, reason in EXPECTED_FAILURES.items():
            if item.nodeid.endswith(end):
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))


def __getattr__(name: str) -> Any:
    """Return a function of the table, counted and with NetworkX's errors."""
    if name not in FUNCTIONS:
        raise AttributeError(f"the graphla backend has no function {name!r}")
    function = _function(name)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        calls[name] += 1
        with networkx_errors():
            return function(*args, **kwargs)

    @wraps(function)
    def generate(*args: Any, **kwargs: Any) -> Iterator[Any]:
        calls[name] += 1
        return _begun(function(*args, **kwargs))

    globals()[name] = generate if inspect.isgeneratorfunction(function) else call
    return globals()[name]


def _begun(found: Iterator[Any]) -> Iterator[Any]:
    """Find the first item, so that the call itself is refused; other errors come with `next`."""
    first: list = []
    failure = None
    try:
        with networkx_errors():
            first = list(islice(found, 1))
    except (nx.NetworkXException, ValueError) as error:
        failure = error
    return _following(first, found, failure)


def _following(first: list, others: Iterator[Any], failure: Exception | None) -> Iterator[Any]:
    if failure is not None:
        raise failure
    yield from first
    with networkx_errors():
        yield from others


def _function(name: str) -> Callable:
    return getattr(import_module(f"graphla.interop.networkx.{FUNCTIONS[name]}"), name)


@contextmanager
def networkx_errors() -> Iterator[None]:
    """Raise what NetworkX does; what it would compute and graphla refuses goes back to it."""
    try:
        yield
    except NegativeCycle as error:
        raise nx.NetworkXUnbounded("Negative cycle detected.") from error
    except ConvergenceFailure as error:
        raise nx.PowerIterationFailedConvergence(error.iterations) from error
    except REFUSALS as error:
        raise NotImplementedError(str(error)) from error
