"""Compilation for a GPU without one."""

from __future__ import annotations

import pytest


def compile(source, arch="sm_90"):
    """Compile CUDA text to a cubin, or fail with the compiler's words."""
    nvrtc = pytest.importorskip("cupy_backends.cuda.libs.nvrtc")
    program = nvrtc.createProgram(source, "k.cu", (), ())
    try:
        nvrtc.compileProgram(program, (f"-arch={arch}", "-std=c++17"))
    except nvrtc.NVRTCError:
        pytest.fail(nvrtc.getProgramLog(program)[:4000])
    return nvrtc.getCUBIN(program) if hasattr(nvrtc, "getCUBIN") else b""
