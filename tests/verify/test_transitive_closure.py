"""A closure with any wrong entry is rejected."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla import verify
from tests.graphs import edges
from tests.oracles import (
    as_closure,
    assert_rejected,
    closure_of,
)
from tests.strategies import graphs

pytestmark = pytest.mark.usefixtures("small_blocks")


@given(st.data(), graphs(kind="directed"))
def test_closure_finds_any_wrong_entry(data, G):
    pairs = closure_of(G)
    verify.transitive_closure(G, as_closure(pairs, G.n), samples=G.n)
    vertex = st.integers(0, G.n - 1)
    wrong = pairs ^ {data.draw(st.tuples(vertex, vertex))}
    assert_rejected(verify.transitive_closure, G, as_closure(wrong, G.n), samples=G.n)


def test_closure_without_samples_looks_at_all_rows():
    G = edges([0, 1, 2], [1, 2, 3], n=4)
    pairs = closure_of(G)

    def check(C, match, **kwargs):
        assert_rejected(verify.transitive_closure, G, C, match=match, **kwargs)

    check(as_closure(pairs - {(0, 1)}, 4), "lacks an edge", samples=0)
    check(as_closure(pairs - {(0, 2), (0, 3)}, 4), "0 -> 1, but their rows have 1 and 2", samples=0)
    check(as_closure(pairs, 5), "shape")
    check(as_closure(pairs | {(3, 3)}, 4), r"has \(3, 3\): True; a path exists: False")
    false = as_closure(pairs, 4)
    false[0, 2] = False
    check(false, "false entry")
