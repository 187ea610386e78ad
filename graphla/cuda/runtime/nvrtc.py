"""From a kernel's text to machine code, by NVRTC, which needs no device; kept on disk.

CuPy's own compilation flushes small float32 numbers to zero, which SuiteSparse does not.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

OPTIONS = ("-std=c++17",)


def folder() -> Path:
    """Return where machine code is kept: $GRAPHLA_CACHE_DIR, or graphla in the user's cache."""
    named = os.environ.get("GRAPHLA_CACHE_DIR")
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(named) if named else Path(cache) / "graphla"


def compiled(source: str, arch: str) -> bytes:
    """Compile a text for a compute capability such as "90".

    Raises
    ------
    RuntimeError
        The text is no CUDA C++; the message is the compiler's.
    """
    from cupy_backends.cuda.libs import nvrtc

    program = nvrtc.createProgram(source, "kernel.cu", (), ())
    try:
        nvrtc.compileProgram(program, (f"-arch=sm_{arch}", *OPTIONS))
        return bytes(nvrtc.getCUBIN(program))
    except nvrtc.NVRTCError as error:
        raise RuntimeError(f"{error}\\n{nvrtc.getProgramLog(program)}") from error
    finally:
        nvrtc.destroyProgram(program)


def cubin(source: str, arch: str) -> bytes:
    """Return the machine code of a text, compiled now or before."""
    from cupy_backends.cuda.libs import nvrtc

    text = f"{nvrtc.getVersion()} {arch} {OPTIONS} {source}"
    kept = folder() / f"{hashlib.sha256(text.encode()).hexdigest()}.cubin"
    try:
        return kept.read_bytes()
    except OSError:
        code = compiled(source, arch)
    try:  # no place to write is no reason to fail
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=kept.parent, delete=False) as file:
            file.write(code)
        Path(file.name).replace(kept)
    except OSError:
        pass
    return code
