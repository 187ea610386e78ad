"""Random programs: equal objects on both engines after every statement."""

import pytest

from tests.cuda import random_programs
from tests.cuda.random_programs import (
    DTYPES,
    PROGRAMS,
    SEEDS,
    Program,
    cells,
    difference,
    run,
    vocabulary,
)


@pytest.mark.thorough
def test_programs_of_few_dtypes():
    counts, differences = run(0, statements=60, dtypes=("INT64", "BOOL"))
    assert differences == []
    assert counts.total() - counts["refused"] > 50


def test_a_short_program():
    counts, differences = run(0, statements=6, dtypes=("INT64",))
    assert differences == []
    assert counts.total() == 6
    assert counts["refused"] <= 1


def test_an_error_that_is_no_refusal_is_a_difference(monkeypatch):
    def fail(*args):
        raise NameError("both")

    monkeypatch.setattr(random_programs, "update", fail)
    _, difference = Program(0).run(1)
    assert "NameError" in difference["error"]


@pytest.mark.thorough
def test_programs_of_all_dtypes():
    """A quarter of the cells, the same in each run; ``python -m tests.cuda.random_programs`` more.

    All of them need kernels that take four minutes to compile.
    """
    every = cells(tuple("biuf"))
    counts, differences = run(1, statements=len(every) // 4)
    assert differences == []
    assert counts.keys() <= {"refused", *map(str, every)}
    assert len(counts) > len(every) // 5
    assert 10 * counts["refused"] <= counts.total()


def test_a_difference_is_found():
    program = Program(3)
    ours, theirs = program.new(1, "i")
    theirs << 3
    ours << 2
    assert "instead of" in difference(ours, theirs)


def test_programs_follow_from_their_seed():
    first, second = (Program(5, ("INT64",)) for _ in range(2))
    assert difference(first.object(1, "i")[0], second.object(1, "i")[1]) is None
    assert first.targets(6) == second.targets(6)


def test_programs_aim_at_every_cell_before_one_comes_again():
    every = cells(tuple("biuf"))
    programs = [Program(number) for number in range(-(-len(every) // 6))]
    aims = [cell for program in programs for cell in program.targets(6)]
    assert set(aims) == set(every)
    assert len(aims) < len(every) + 6
    assert Program(SEEDS).targets(1) != Program(0).targets(1)  # another process


def test_programs_share_a_vocabulary():
    first, last, next_one = (vocabulary(k, DTYPES) for k in (0, PROGRAMS - 1, PROGRAMS))
    assert first.dtypes == last.dtypes
    assert first.choose(range(10**6), "x") == last.choose(range(10**6), "x")
    assert vocabulary(SEEDS, DTYPES).dtypes == first.dtypes  # of another process
    assert next_one.choose(range(10**6), "x") != first.choose(range(10**6), "x")
