"""What only pandas has: nullable dtypes, and labels of mixed types."""

from __future__ import annotations

import pytest

import graphla as gl


def test_pandas_nullable_dtypes_and_labels_that_do_not_compare():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"src": ["a", 1], "dst": [1, (2, 3)], "w": pd.array([3, 4], "Int32")})
    G, labels = gl.interop.pandas.from_edges(frame, weight="w")
    assert labels.tolist() == ["a", 1, (2, 3)]
    assert G.dtype == "INT32"
