"""Labels as matrices."""

from __future__ import annotations

import graphblas as gb
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphla.algorithms.communities.membership import find_smallest_members, make_membership
from tests.graphs import random_graph


@given(st.lists(st.integers(0, 8), max_size=9))
def test_one_entry_a_row(labels):
    G = random_graph(9, 20)
    S = make_membership(G, gb.Vector.from_dense(np.array(labels, np.int64)))
    assert S.dtype == "BOOL"
    assert S.shape == (len(labels), 9)
    rows, columns, values = S.to_coo()
    assert rows.tolist() == list(range(len(labels)))
    assert columns.tolist() == labels
    assert values.all()
    assert find_smallest_members(G, S).to_dense().tolist() == [labels.index(x) for x in labels]
