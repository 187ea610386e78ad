"""Turn a check of one graph into a test of many: all edge cases, the atlas, or each dtype.

The check takes a graph ``G``; its other parameters without a default are parameters of the test,
such as fixtures. The first two functions are called with a check, or decorate a test::

    test_edge_cases = on_edge_cases(check)

    @on_atlas(step=5)
    def test_a_fifth_of_the_atlas(G, fixture): ...
"""

from __future__ import annotations

from functools import partial, wraps
from inspect import Parameter, signature

import pytest

from tests.graphs import DTYPES, atlas, edge_cases, random_graph

KINDS = ["directed", "undirected"]


def on_edge_cases(check=None, *, kind=None, empty=True):
    """Return a test of all edge cases: of one kind, or by default of either, as two cases.

    The graph without vertices is left out if `empty` is False.
    """
    if check is None:
        return partial(on_edge_cases, kind=kind, empty=empty)

    def graphs(kind=kind):
        return [G for G in edge_cases(kind).values() if G.n or empty]

    if kind is not None:
        return _on_each(graphs, check)
    return pytest.mark.parametrize("kind", KINDS)(_on_each(graphs, check, "kind"))


def on_atlas(check=None, *, step=1, empty=True):
    """Return a thorough test of each `step`-th graph of the atlas.

    The graph without vertices, which is the first, is left out if `empty` is False.
    """
    if check is None:
        return partial(on_atlas, step=step, empty=empty)

    def graphs():
        return [G for _, G in atlas()[0 if empty else 1 :: step]]

    return pytest.mark.thorough(_on_each(graphs, check))


def on_dtypes(check, *, n, m, **options):
    """Return a test of a random graph with n vertices, m edges, and weights of each dtype."""

    @pytest.mark.parametrize("dtype", DTYPES)
    def test(dtype):
        check(random_graph(n, m, dtype=dtype, **options))

    return test


def _on_each(graphs, check, *parameters):
    """Return a test that runs ``check(G=G, ...)`` for each G of ``graphs(*parameters)``."""

    @wraps(check)
    def test(**arguments):
        chosen = [arguments.pop(name) for name in parameters]
        for G in graphs(*chosen):
            check(G=G, **arguments)

    required = [
        x.name
        for x in signature(check).parameters.values()
        if x.default is x.empty and x.kind is x.POSITIONAL_OR_KEYWORD and x.name != "G"
    ]
    test.__signature__ = signature(check).replace(
        parameters=[Parameter(name, Parameter.KEYWORD_ONLY) for name in (*parameters, *required)]
    )
    return test
