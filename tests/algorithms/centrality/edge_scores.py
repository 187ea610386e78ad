"""Centralities of edges as matrices."""

from __future__ import annotations

import numpy as np


def assert_edge_scores(C, scores, atol=0):
    """Check that a Matrix has the entries {(i, j): score}, in FP64."""
    assert C.dtype == "FP64"
    rows, cols, values = C.to_coo()
    found = dict(zip(zip(rows.tolist(), cols.tolist(), strict=True), values, strict=True))
    assert found.keys() == scores.keys()
    values = [found[edge] for edge in scores]
    np.testing.assert_allclose(values, list(scores.values()), rtol=1e-12, atol=atol)
