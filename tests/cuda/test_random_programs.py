"""Random programs: equal objects on both engines after every statement."""

import pytest

from tests.cuda import random_programs
from tests.cuda.random_programs import OPERATIONS, Program, difference, run


@pytest.mark.thorough
def test_programs_of_few_dtypes():
    cells, differences = run(1, statements=60, dtypes=("INT64", "BOOL"))
    assert differences == []
    assert cells.total() >= 60


def test_a_short_program():
    cells, differences = run(1, statements=8, dtypes=("INT64",))
    assert differences == []
    assert cells.total() >= 8


@pytest.mark.thorough
def test_programs_of_all_dtypes():
    cells, differences = run(2, seconds=60)
    assert differences == []
    assert {cell.split("/")[0] for cell in cells} <= {
        x for names in OPERATIONS.values() for x in names
    }


def test_a_difference_is_found():
    program = Program(3)
    ours, theirs = program.new(1)
    theirs << 3
    ours << 2
    assert "instead of" in difference(ours, theirs)


def test_programs_follow_from_their_seed():
    first, second = (Program(5, ("INT64",)) for _ in range(2))
    assert difference(first.vectors[0][0], second.vectors[0][1]) is None
    assert callable(random_programs.main)
