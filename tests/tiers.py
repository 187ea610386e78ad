"""Which tests run in `make test`, and which are left to `make test-all`.

A test is left to `make test-all` by the mark `thorough`. Tests have it that take seconds, or that
repeat on more graphs what others check. The rules below add it to cases that differ from others
in nothing but a type, because most types need kernels, or compiled functions, of their own; and to
cases on a simulated device whose threads are suspended at loads, or whose blocks take turns.

`make test-all` runs `make test`, then (`make rest`) the thorough tests and those that hypothesis
draws more than QUICK_EXAMPLES examples for, which have the mark `drawn`.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from hypothesis import is_hypothesis_test, settings

ROOT = Path(__file__).parents[1]
QUICK_EXAMPLES = 15  # of a test of hypothesis, at most, in `make test`
QUICK, REST = "not thorough", "thorough or drawn"  # pytest's option -m, of the two runs
QUICK_TYPES = {"BOOL", "INT64", "FP64"}
SLOW_BLOCKS = ("interleaved", "in turn")  # how a simulated device runs blocks
MIXED_TYPES = "test_every_update.py"  # has a mixture of types of its own
LESS = ("collectonly", "deselect", "ignore", "ignore_glob", "lf", "stepwise")  # pytest runs fewer
NAME = r"(?:bool|u?int(?:8|16|32|64)|(?:fp|float)(?:32|64))"
TYPE = re.compile(rf"(?i)(?<![a-z0-9]){NAME}(?![a-z0-9])")


def add_marks(items):
    """Mark what is left to `make test-all`, and what draws more examples there."""
    for item in items:
        if repeats_another(item):
            item.add_marker("thorough")
        if examples_of(item) > QUICK_EXAMPLES:
            item.add_marker("drawn")


def examples_of(item):
    """Return how many examples hypothesis draws for a case; 0 if it is no such test."""
    test = getattr(item, "obj", None)
    if not is_hypothesis_test(test):
        return 0
    own = getattr(test, "_hypothesis_internal_use_settings", None) or settings.default
    return own.max_examples


def repeats_another(item):
    """Return whether a case is one of the first tier but for a type, or for the order of blocks."""
    if item.path.name == MIXED_TYPES:
        return False
    slow = any(word in item.name.lower() for word in SLOW_BLOCKS)
    return slow or not types_of(item) <= QUICK_TYPES


def types_of(item):
    """Return the names of the types in the id of a case, as python-graphblas spells them."""
    case = item.callspec.id if hasattr(item, "callspec") else ""
    return {name.upper().replace("FLOAT", "FP") for name in TYPE.findall(case)}


def why_not_whole(config, status, workers_lost):
    """Return why a run was not all of `make test`, or of another tier; "" if it was."""
    option = config.option
    if option.markexpr != QUICK:
        return f'-m "{QUICK}" was not given'
    if config.args_source is not config.ArgsSource.TESTPATHS:
        return "only some files were asked for"
    if any(getattr(option, name, None) for name in ("keyword", *LESS)):
        return "only some tests were asked for"
    if workers_lost:
        return "a process of tests ended early"
    return "" if status == 0 else f"the run ended with status {int(status)}"


def summary(left_out):
    """Return a line on the tests, by their ids, that a run has left out."""
    files = (nodeid.partition("::")[0] for nodeid in left_out)
    folders = Counter("/".join(file.split("/")[:2]) for file in files)
    counts = ", ".join(f"{folder} {count}" for folder, count in folders.most_common())
    return f"{folders.total()} cases are left to `make test-all`: {counts}"
