"""What tests of launches share: the kernels that something launches."""

from __future__ import annotations

from graphla.cuda.runtime.compile import launched


def launches(statement):
    """Return the kernels that a statement launches."""
    names = []
    token = launched.set(names)
    try:
        statement()
    finally:
        launched.reset(token)
    return names
