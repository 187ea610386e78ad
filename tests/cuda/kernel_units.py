"""Kernels compiled as C++ for the simulators, in units of several, and cached under ``.cache/``.

Starting the compiler costs more than most kernels, so `build_listed` (``make kernels``) compiles
the kernels of the list ``simulated_kernels.json`` in units of UNIT_SIZE, on all cores, before the
tests. A kernel that is not in the list is compiled when a test launches it. The list holds what
`make test` compiles: ``GRAPHLA_LIST_KERNELS=1 make test`` writes it anew (tests/conftest.py).
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from graphla.core.engines import available
from graphla.cuda.runtime import kernel, kernel_text
from graphla.native.cuda.runtime import KERNELS as NATIVE_KERNELS
from graphla.star.on_cuda import FOLDER as STAR_KERNELS

ROOT = Path(__file__).parents[2]
CACHE = Path(os.environ.get("GRAPHLA_SIMULATOR_CACHE", ROOT / ".cache" / "simulated_kernels"))
LIST = Path(__file__).parent / "simulated_kernels.json"
FOLDERS = {"engine": kernel_text.KERNELS, "native": NATIVE_KERNELS, "star": STAR_KERNELS}
UNIT_SIZE = 50
# A host thread that runs a kernel gets the thread-local memory of all kernels of its library.
UNIT_SIZE_THREAD_LOCAL = 8
# Libraries must not share symbols: devices define shared memory differently. Fortified longjmp
# would report the jumps between coroutines as errors.
PRIVATE_SYMBOLS = ("-fno-gnu-unique", "-U_FORTIFY_SOURCE")
GXX = ("g++", "-std=c++17", "-O0", "-fwrapv", "-w", "-fPIC", *PRIVATE_SYMBOLS)

INCLUDED = re.compile(r"^#include <([\w.]+)>\n", re.MULTILINE)
MACRO = re.compile(r"^[ \t]*#define (\w+)", re.MULTILINE)
GLOBAL_SCOPE = re.compile(r"(?<![\w>:])::(?=\w)")
MACRO_CALL = r"(?:__launch_bounds__|[A-Z]+)\([^)]*\)\s*"
ENTRY_POINT = re.compile(rf'extern "C"[^;{{]*?\bvoid\s+(?:{MACRO_CALL})*(\w+)\s*\(')


class Program(NamedTuple):
    """C++ text of a kernel: `preamble`, what replaces CUDA's built-ins, and its own `source`."""

    preamble: str
    source: str

    @property
    def key(self):
        return digest(*GXX, compiler(), self.preamble, self.source)


@cache
def load(program):
    """Return the library of a program, and the prefix of its kernels there; compile if needed."""
    place = CACHE / f"{program.key}.unit"
    if not place.exists():
        build_unit([program])
    unit, prefix = place.read_text().split()
    return ctypes.CDLL(str(CACHE / unit)), prefix


def build_unit(programs):
    """Compile programs that have the same preamble into one library."""
    body, headers = [], set()
    for number, program in enumerate(programs):
        headers.update(INCLUDED.findall(program.source))
        text = GLOBAL_SCOPE.sub(f"k{number}::", INCLUDED.sub("", program.source))
        entry_points = ENTRY_POINT.findall(text)
        body += [f"#define {name} k{number}_{name}\n" for name in entry_points]
        body += [f"namespace k{number} {{\n", text, "\n}\n"]
        body += [f"#undef {name}\n" for name in entry_points + MACRO.findall(text)]
    preamble = programs[0].preamble
    headers.update(INCLUDED.findall(preamble))
    text = preamble + "".join(body)
    unit = f"{digest(*GXX, compiler(), text)}.so"
    if not (CACHE / unit).exists():
        header = precompiled_headers(*sorted(headers))
        compile_to(CACHE / unit, text, "unit.cpp", "-shared", "-include", str(header))
    for number, program in enumerate(programs):
        write(CACHE / f"{program.key}.unit", f"{unit} k{number}_")


@cache
def precompiled_headers(*names):
    """Precompile standard headers: parsing them takes most of a small kernel's compile time."""
    text = "".join(f"#include <{name}>\n" for name in names)
    header = CACHE / f"{digest(*GXX, compiler(), text)}.h"
    precompiled = header.with_suffix(".h.gch")
    if not precompiled.exists():
        write(header, text)
        compile_to(precompiled, text, "headers.h", "-x", "c++-header")
    return header


@cache
def compiler():
    """Return the compiler's version and target."""
    run = ["g++", "-dumpfullversion", "-dumpmachine"]
    return subprocess.run(run, capture_output=True, text=True, check=True).stdout


def digest(*texts):
    """Return the name of texts in the cache."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def compile_to(path, text, name, *options):
    """Compile a text into a file, atomically: other processes use the same cache."""
    CACHE.mkdir(exist_ok=True, parents=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        code, output = Path(folder, name), Path(folder, "output")
        code.write_text(text)
        process = subprocess.run(
            [*GXX, *options, "-o", str(output), str(code)], capture_output=True, text=True
        )
        assert process.returncode == 0, process.stderr[:4000]
        output.replace(path)


def write(path, text):
    """Write a small file atomically."""
    CACHE.mkdir(exist_ok=True, parents=True)
    with tempfile.NamedTemporaryFile("w", dir=CACHE, delete=False) as file:
        file.write(text)
    Path(file.name).replace(path)


# ---- the list of kernels

used = set()  # (simulator, folder, file, definitions) of the kernels that this process has run
recorded = set()  # (simulator, text) of the same kernels


def record(simulator, text):
    """Note that a simulator runs a kernel of the package with these definitions."""
    if (simulator, text) in recorded:
        return
    recorded.add((simulator, text))
    for (file, definitions, _, folder), lazy in list(kernel._kernels.items()):
        if lazy.text == text:
            names = [name for name, path in FOLDERS.items() if path == folder]
            used.update((simulator, name, file, definitions) for name in names)
            return


def read_list():
    """Return the kernels of the list, as `used` has them."""
    if not LIST.exists():
        return set()
    content = json.loads(LIST.read_text())
    lines = content["definitions"]
    return {
        (simulator, folder, file, "".join(lines[k] for k in numbers))
        for simulator, folder, file, numbers in content["kernels"]
    }


def write_list(kernels):
    """Write the list; definitions are stored once for each of their lines."""
    lines = sorted({line for *_, text in kernels for line in text.splitlines(keepends=True)})
    number = {line: k for k, line in enumerate(lines)}
    rows = sorted(
        [*names, [number[line] for line in text.splitlines(keepends=True)]]
        for *names, text in kernels
    )
    body = ",\n".join(json.dumps(row) for row in rows)
    definitions = json.dumps(lines, indent=0)
    LIST.write_text(f'{{"definitions": {definitions},\n"kernels": [\n{body}\n]}}\n')


SIMULATORS = {"Simulator": "tests.cuda.simulator", "WarpSimulator": "tests.cuda.warp_simulator"}


def build_listed():
    """Compile the kernels of the list that are not in the cache; return a line that counts them.

    A unit that does not compile is left to the tests: a kernel may need other definitions than the
    list has.
    """
    missing = {}
    for simulator, folder, file, definitions in sorted(read_list()):
        program = getattr(import_module(SIMULATORS[simulator]), simulator).program
        try:
            source = kernel_text.source(file, definitions, FOLDERS[folder])
        except KeyError:  # the file has gone: the list is older than the kernels
            continue
        made = program(source)
        if not (CACHE / f"{made.key}.unit").exists():
            missing.setdefault(made.preamble, {})[made.key] = made
    units, headers = [], []
    for programs in missing.values():
        alike = list(programs.values())
        headers.append(sorted({h for p in alike for h in INCLUDED.findall("".join(p))}))
        size = UNIT_SIZE_THREAD_LOCAL if "thread_local" in alike[0].preamble else UNIT_SIZE
        units += [alike[k : k + size] for k in range(0, len(alike), size)]
    units.sort(key=lambda unit: sum(len(p.source) for p in unit), reverse=True)  # longest first
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        list(pool.map(lambda names: precompiled_headers(*names), headers))
        compiled = list(pool.map(compiles, units))
    count = sum(len(unit) for unit, done in zip(units, compiled, strict=True) if done)
    failed = f", {compiled.count(False)} units do not compile" if False in compiled else ""
    return f"{count} simulated kernels compiled, in {sum(compiled)} units{failed}"


def compiles(programs):
    """Build a unit; return whether its text compiles."""
    try:
        build_unit(programs)
    except AssertionError:
        return False
    return True


if __name__ == "__main__":
    if available("cuda"):
        print("kernels run on the GPU: none is simulated")
    elif shutil.which("g++") is None:
        print("no g++: tests of CUDA kernels will be skipped")
    else:
        print(build_listed())
