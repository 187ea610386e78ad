"""Hypothesis strategies: random graphs small enough to shrink well."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from graphla import Graph


@st.composite
def graphs(draw, *, kind=None, weights=None, max_n=12, max_m=40):
    """Draw a Graph; `weights` is a strategy for one weight, or None for an unweighted graph.

    Self-loops, duplicate edges, isolated vertices and several components all occur.
    """
    kind = draw(st.sampled_from(["directed", "undirected"])) if kind is None else kind
    n = draw(st.integers(1, max_n))
    end = st.integers(0, n - 1)
    pairs = draw(st.lists(st.tuples(end, end), max_size=max_m))
    src = np.array([p[0] for p in pairs], dtype=np.int64)
    dst = np.array([p[1] for p in pairs], dtype=np.int64)
    values = None
    if weights is not None:
        drawn = draw(st.lists(weights, min_size=len(pairs), max_size=len(pairs)))
        kind_of = np.float64 if any(isinstance(w, float) for w in drawn) else np.int64
        values = np.array(drawn, dtype=kind_of)
    return Graph.from_edges(src, dst, values, n=n, kind=kind, dup="min")


def examples(count):
    """Return settings with this number of examples, or that of `make test` where it is less.

    Fixtures of a test hold for all its examples.
    """
    return settings(
        max_examples=min(count, settings.default.max_examples),
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )


FEW = examples(30)  # for slow tests, and those with many parameters

small_weights = st.integers(0, 9)
signed_weights = st.integers(-4, 9)
float_weights = st.floats(0, 100, allow_nan=False, width=32)
