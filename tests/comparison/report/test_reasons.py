"""Every algorithm with a native kernel has a reason for its ratio."""

from __future__ import annotations

import graphla as gl
from graphla.comparison.algorithms import ALGORITHMS
from graphla.comparison.report.reasons import REASONS


def test_every_algorithm_with_native_code_has_a_reason():
    assert {name for name in ALGORITHMS if hasattr(gl.native, name)} <= set(REASONS)
