"""Libraries are loaded on first use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import graphla as gl

ROOT = Path(__file__).parents[2]


def test_libraries_are_loaded_on_first_use():
    code = (
        "import sys, graphla as gl; gl.plot; [getattr(gl.interop, m) for m in gl.interop.MODULES]; "
        "names = ('pandas', 'polars', 'pyarrow', 'igraph', 'torch', 'cupy', 'matplotlib'); "
        "print([m for m in names if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]"
    with pytest.raises(AttributeError, match="no_such"):
        gl.interop.no_such
