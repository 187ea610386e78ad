"""Compilation for a GPU without one."""

from __future__ import annotations

import pytest

# Nobody runs this code: it need not be fast, and no kernel uses textures, or launches another.
QUICKLY = ("--Ofast-compile=max", "-minimal")


def compile(source, arch="sm_90"):
    """Compile CUDA text to machine code, or fail with the compiler's words."""
    nvrtc = pytest.importorskip("cupy_backends.cuda.libs.nvrtc")
    program = nvrtc.createProgram(source, "k.cu", (), ())
    try:
        nvrtc.compileProgram(program, (f"-arch={arch}", "-std=c++17", *QUICKLY))
    except nvrtc.NVRTCError:
        pytest.fail(nvrtc.getProgramLog(program)[:4000])
    finally:
        nvrtc.destroyProgram(program)
