"""Components with any wrong label, split or merged, are rejected."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla import verify
from tests.graphs import edges
from tests.oracles import (
    assert_rejected,
    components_of,
    corrupted,
    vector,
)
from tests.strategies import graphs

pytestmark = pytest.mark.usefixtures("small_blocks")


@given(st.data(), graphs())
def test_components_finds_any_wrong_label(data, G):
    for check, parts in [
        (verify.connected_components, nx.weakly_connected_components),
        (verify.strongly_connected_components, nx.strongly_connected_components),
    ]:
        label = components_of(G, parts)
        check(G, vector(label, G.n))
        wrong = data.draw(corrupted(label, G.n, st.integers(-1, G.n)))
        assert_rejected(check, G, vector(wrong, G.n), match="component")


def test_components_split_or_merged():
    G = edges([0, 1, 3], [1, 2, 4], n=5)
    split, merged = {0: 0, 1: 0, 2: 2, 3: 3, 4: 3}, dict.fromkeys(range(5), 0)
    text = r"component\[2\] is 2; the smallest vertex of that component is 0"
    assert_rejected(verify.connected_components, G, vector(split, 5), match=text)
    assert_rejected(verify.connected_components, G, vector(merged, 5), match=r"component\[3\] is 0")
    largest = vector({0: 2, 1: 2, 2: 2, 3: 4, 4: 4}, 5)
    assert_rejected(verify.connected_components, G, largest, match=r"component\[0\] is 2")
    assert_rejected(verify.strongly_connected_components, G, vector(split, 5))
