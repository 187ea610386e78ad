"""A plugin of pytest for mutations.py: records running and failed tests, and ends hanging ones.

Rows go to the file $MUTATION_LOG, in JSON: {"running": test}, or {"failed": test, "error": text,
"compiles": whether the error is another one than the compiler's}. A process in which one test
takes more than $MUTATION_TEST_SECONDS ends, also within a kernel.
"""

from __future__ import annotations

import faulthandler
import json
import os
import re
import sys
from pathlib import Path

import pytest

LOG = Path(os.environ["MUTATION_LOG"])
SECONDS = float(os.environ["MUTATION_TEST_SECONDS"])
STACKS = LOG.with_suffix(".stacks").open("a")  # of the threads of a process that was ended
# compile_to of the simulator, CuPy's NVRTC, and pytest's failure to parse a Python file
MACHINE = re.compile(f"({re.escape(sys.prefix)}|{re.escape(str(Path.cwd()))})/")  # its paths
COMPILER_ERROR = r"assert process.returncode == 0, process.stderr|CompileException|SyntaxError"


def write(**row):
    """Append a row, in one write as other processes do so too."""
    with LOG.open("a") as file:
        file.write(json.dumps(row) + "\n")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Run one test, and end the process if it takes too long."""
    write(running=item.nodeid)
    faulthandler.dump_traceback_later(SECONDS, exit=True, file=STACKS)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


def record_failure(report):
    """Record a test that failed, or a file that could not be imported."""
    if report.failed:
        text = MACHINE.sub("", report.longreprtext)
        compiles = not re.search(COMPILER_ERROR, text)
        write(failed=report.nodeid, error=text[-300:], compiles=compiles)


pytest_runtest_logreport = pytest_collectreport = record_failure
