"""The names of the kernels that a call launches."""

from __future__ import annotations

from graphla.cuda.runtime.kernel import launched


def launches(statement):
    """Return the names of the kernels that a function of no arguments launches, in order."""
    names = []
    token = launched.set(names)
    try:
        statement()
    finally:
        launched.reset(token)
    return names
