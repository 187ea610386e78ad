"""One value for all entries of all ranks: found only if every rank stores it once."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.ranks import in_process
from graphla.ranks.collectives.shared_value import shared_value

CASES = {  # the values that each rank stores, its number of entries, and the shared value
    "one": ([[3], [3], [3]], [4, 1, 2], 3),
    "different": ([[1], [0], [1]], [4, 1, 2], None),
    "stored for each entry": ([[3], [3, 3], [3]], [4, 2, 2], None),
    "one rank is empty": ([[7], [], [7]], [4, 0, 9], 7),
    "one rank has a value and no entry": ([[5], [6], [5]], [4, 0, 9], 5),
    "no entries": ([[], [], []], [0, 0, 0], None),
    "zero": ([[0], [], [0]], [2, 0, 2], 0),
}


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "float64"])
@pytest.mark.parametrize("case", CASES)
def test_value(case, dtype):
    stored, counts, expected = CASES[case]

    def run(member):
        values = np.array(stored[member.rank], dtype)
        return shared_value(member.communicator, "values", values, counts[member.rank])

    for found in in_process(3, run):
        if expected is None:
            assert found is None
        else:
            assert (found.dtype, found.tolist()) == (dtype, [np.dtype(dtype).type(expected)])


@pytest.mark.parametrize("value", [np.nan, -0.0, np.inf, -1.5])
def test_bits_are_kept(value):
    def run(member):
        return shared_value(member.communicator, "values", np.array([value]), 2)

    for found in in_process(2, run):
        assert found.tobytes() == np.array([value]).tobytes()
