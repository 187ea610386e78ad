"""The Python code of a page, and the lines that the page says it prints."""

from __future__ import annotations

import re

CODE = re.compile(r"```python\n(.*?)```", re.DOTALL)
COMMENT = re.compile(r"print\(.*\)  # ([^;\n]*)")  # a remark may follow after a semicolon
OUTPUT = re.compile(r"prints\n\n```\n(.*?)```", re.DOTALL)


def blocks(text):
    """Return the blocks of Python code of a page."""
    return CODE.findall(text)


def shown(text):
    """Return the lines that comments behind `print`, and blocks of output, show, in their order."""
    found = [(match.start(1), match[1]) for match in COMMENT.finditer(text)]
    found += [(match.start(1), match[1]) for match in OUTPUT.finditer(text)]
    return [line for _, lines in sorted(found) for line in lines.rstrip().splitlines()]


def missing(text, out):
    """Return the first line that a page shows and its code did not print there, None if all are.

    The shown lines must be whole lines of the output in the same order; lines between them are
    those of prints without a comment.
    """
    printed = iter(out.splitlines())
    return next((line for line in shown(text) if line not in printed), None)
