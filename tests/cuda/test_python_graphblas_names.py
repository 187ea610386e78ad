"""The page on python-graphblas's names is complete, and true of the objects of the device."""

import re
from pathlib import Path

from graphblas import exceptions

from graphla import errors
from graphla.cuda.operators.graphblas_bridge import ERRORS
from tests.cuda import python_graphblas_names as names

PAGE = (Path(__file__).parents[2] / "docs" / "python-graphblas.md").read_text()


def test_the_page_has_every_name():
    for row in names.rows():
        assert row in PAGE, "python -m tests.cuda.python_graphblas_names prints the rows"


def test_what_is_refused_is_few():
    assert all(not bad for bad in (set(b) - {"gb_obj", "__iter__"} for b in of_objects()))


def of_objects():
    return [bad for title, (_, bad) in names.works().items() if title in ("Vector", "Matrix")]


def test_the_page_has_every_exception():
    rows = dict(re.findall(r"^\| `(\w+)` \| `(\w+)`", PAGE, re.MULTILINE))
    classes = [c for c in vars(exceptions).values() if isinstance(c, type)]
    theirs = {c.__name__ for c in classes if issubclass(c, exceptions.GraphblasException)}
    assert theirs - {"GraphblasException"} <= rows.keys()
    for cls, ours in ERRORS.items():
        assert rows[cls.__name__] == ours.__name__
    for ours in rows.values():
        assert ours == "none" or hasattr(errors, ours)
