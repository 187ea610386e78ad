"""A device without a GPU: kernels compiled as C++ and run by one thread on NumPy arrays.

Every kernel of the engine strides over its work and treats a warp as ``WARP`` lanes, so
that one thread, being a whole grid of one block of one lane, does all of it. What this
checks is the logic: indices, masks, types, arithmetic. Races it cannot see.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np

SHIM = (Path(__file__).parent / "shim.h").read_text()
COMPILER = ("g++", "-std=c++17", "-O1", "-fwrapv", "-w", "-shared", "-fPIC")
CACHE = Path(os.environ.get("GRAPHLA_SIMULATOR_CACHE", Path(tempfile.gettempdir()) / "graphla-sim"))


GXX = ("g++", "-std=c++17", "-O1", "-fwrapv", "-w", "-shared", "-fPIC")


class Simulator:
    name = "cuda"
    xp = np
    multiprocessors = 1
    arch = "90"

    def __init__(self):
        self.reads = 0
        self.limit = None

    def compile(self, source, name, cooperative):
        function = build(SHIM + source)[name]
        function.restype = None

        def run(threads, block, shared, args):
            function(*map(argument, args))

        return run

    def is_array(self, x):
        return isinstance(x, np.ndarray)

    def to_host(self, x):
        return x.copy()

    def word(self, x):
        self.reads += 1
        return x.item()

    def words(self, x):
        self.reads += 1
        return x.copy()

    @contextmanager
    def memory(self, needed, what):
        yield

    def free(self):
        return self.limit or 1 << 34


def build(text):
    """Compile C++ text, once, and load it."""
    CACHE.mkdir(exist_ok=True)
    library = CACHE / (hashlib.sha256(text.encode()).hexdigest() + ".so")
    if not library.exists():
        with tempfile.TemporaryDirectory(dir=CACHE) as folder:
            code, built = Path(folder, "k.cpp"), Path(folder, "k.so")
            code.write_text(text)
            done = subprocess.run(
                [*GXX, "-o", str(built), str(code)],
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, done.stderr[:4000]
            built.replace(library)
    return ctypes.CDLL(str(library))


def argument(x):
    if x is None:
        return ctypes.c_void_p(0)
    if isinstance(x, np.ndarray):
        assert x.flags.c_contiguous
        return ctypes.c_void_p(x.ctypes.data)
    if isinstance(x, np.generic):
        return np.ctypeslib.as_ctypes_type(x.dtype)(x.item())
    assert isinstance(x, int), type(x)
    return ctypes.c_longlong(x)
