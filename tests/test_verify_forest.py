"""The columns of a forest must be complete, and vertices integers."""

from __future__ import annotations

import pytest

import graphla as gl
from graphla import verify
from graphla.errors import VerificationError
from tests.graphs import edges


@pytest.mark.parametrize("column", ["src", "dst", "weight"])
def test_forest_columns_are_whole(column):
    G = edges([0, 1], [1, 2], [1, 2], n=3, kind="undirected")
    forest = gl.minimum_spanning_forest(G)
    part = getattr(forest.edges, column).dup()
    del part[0]
    with pytest.raises(VerificationError, match=f"{column} has 1 of 2 entries"):
        verify.minimum_spanning_forest(
            G, forest._replace(edges=forest.edges._replace(**{column: part}))
        )


def test_forest_vertices_are_integers():
    G = edges([0, 1], [1, 2], [1, 2], n=3, kind="undirected")
    forest = gl.minimum_spanning_forest(G)
    src = G.vector("FP64", 2)
    src.build([0, 1], [0.4, 1.0])
    with pytest.raises(VerificationError, match=r"0\.4 -- 1.*: not integers"):
        verify.minimum_spanning_forest(G, forest._replace(edges=forest.edges._replace(src=src)))
