"""Compilation by NVRTC, which needs no GPU. What compiled once is noted under ``.cache/nvrtc``."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

# The code is not run: compile fast, without support for textures and launches from kernels.
OPTIONS = ("-std=c++17", "--Ofast-compile=max", "-minimal")
ARCHITECTURES = ("sm_80", "sm_90")  # without thread block clusters, and with them
CACHE = Path(__file__).parents[2] / ".cache" / "nvrtc"


def compile(source, *architectures):
    """Compile CUDA source to machine code for each of the architectures, by default for all.

    The test fails with the compiler's log.
    """
    nvrtc = pytest.importorskip("cupy_backends.cuda.libs.nvrtc")
    for arch in architectures or ARCHITECTURES:
        text = f"{nvrtc.getVersion()} {arch} {OPTIONS} {source}"
        compiled = CACHE / hashlib.sha256(text.encode()).hexdigest()
        if compiled.exists():
            continue
        program = nvrtc.createProgram(source, "k.cu", (), ())
        try:
            nvrtc.compileProgram(program, (f"-arch={arch}", *OPTIONS))
        except nvrtc.NVRTCError:
            pytest.fail(f"{arch}: {nvrtc.getProgramLog(program)[:4000]}")
        finally:
            nvrtc.destroyProgram(program)
        CACHE.mkdir(parents=True, exist_ok=True)
        compiled.touch()
