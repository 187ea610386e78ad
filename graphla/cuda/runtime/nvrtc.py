"""Compile a kernel's text to machine code by NVRTC, which needs no device, and cache it on disk.

CuPy's own compilation flushes subnormal float32 numbers to zero; SuiteSparse does not.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

OPTIONS = ("-std=c++17",)


def cache_folder() -> Path:
    """Return $GRAPHLA_CACHE_DIR, or graphla in the user's cache."""
    own = os.environ.get("GRAPHLA_CACHE_DIR")
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(own) if own else Path(cache) / "graphla"


def compiled(source: str, arch: str) -> bytes:
    """Compile a text for a compute capability such as "90".

    Raises
    ------
    RuntimeError
        The compiler rejects the text; the message is the compiler's.
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
    """Return the machine code of a text, from the cache if it is there."""
    from cupy_backends.cuda.libs import nvrtc

    text = f"{nvrtc.getVersion()} {arch} {OPTIONS} {source}"
    path = cache_folder() / f"{hashlib.sha256(text.encode()).hexdigest()}.cubin"
    try:
        return path.read_bytes()
    except OSError:
        code = compiled(source, arch)
    try:  # the cache is optional: it may be read-only or full
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(code)
        Path(file.name).replace(path)
    except OSError:
        pass
    return code
