"""Where tests keep compiled Numba functions: ``.cache/numba``, by the text of all native code.

Numba's own check sees a change in the file of a function, but not in a function that it calls from
another file.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

ROOT = Path(__file__).parents[1]


def folder():
    """Return the folder for the native code as it is now, and for the level of optimisation."""
    digest = hashlib.sha256(os.environ.get("NUMBA_OPT", "3").encode())
    for path in sorted((ROOT / "graphla").rglob("*.py")):
        text = path.read_bytes()
        if b"numba" in text:
            digest.update(text)
    return ROOT / ".cache" / "numba" / digest.hexdigest()[:16]
