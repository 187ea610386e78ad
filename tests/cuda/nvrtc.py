"""Compilation by NVRTC, which needs no GPU."""

from __future__ import annotations

import pytest

# The code is not run: compile fast, without support for textures and launches from kernels.
QUICKLY = ("--Ofast-compile=max", "-minimal")


def compile(source, arch="sm_90"):
    """Compile CUDA source to machine code; fail the test with the compiler's log."""
    nvrtc = pytest.importorskip("cupy_backends.cuda.libs.nvrtc")
    program = nvrtc.createProgram(source, "k.cu", (), ())
    try:
        nvrtc.compileProgram(program, (f"-arch={arch}", "-std=c++17", *QUICKLY))
    except nvrtc.NVRTCError:
        pytest.fail(nvrtc.getProgramLog(program)[:4000])
    finally:
        nvrtc.destroyProgram(program)
