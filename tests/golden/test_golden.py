"""The code is as its golden files say.

After a change that is meant: ``python -m tests.golden.update``, and review what it writes.
"""

from __future__ import annotations

import json
import re
import shutil
from difflib import unified_diff
from pathlib import Path

import pytest

from graphla.cuda.runtime.nvrtc import compiled
from tests.algorithm_calls import algorithms
from tests.golden import counts, machine_code, public_names, traces
from tests.golden.traces import folded, simulated

ROOT = Path(__file__).parents[2]
UPDATE = "if it is meant: python -m tests.golden.update"
TRACES = json.loads(traces.FILE.read_text())
MACHINE_CODE = json.loads(machine_code.FILE.read_text())
needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="kernels run by g++")


def same(now, golden):
    """Fail with the lines that differ."""
    changed = unified_diff(golden.splitlines(), now.splitlines(), "golden", "now", "", "", 1, "")
    assert now == golden, "\n".join([UPDATE, *changed])


@needs_compiler
def test_public_names_and_signatures():
    same(public_names.current(), public_names.FILE.read_text())


def test_every_golden_name_is_still_there():
    names = public_names.recorded()
    assert len(names) > 200
    assert [name for name in names if public_names.resolve(name) is None] == []


def written():
    """Return {dotted name of the package: a file whose text has it}."""
    files = [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "graphla").rglob("*.py"),
    ]
    found = {}
    for path in files:
        text = path.read_text()
        for name in re.findall(r"`~?(gl(?:\.\w+)+|graphla(?:\.\w+)+)(?:\(.*?\))?`", text):
            found[name] = path.relative_to(ROOT)
        if path.suffix == ".md" or path.name == "__init__.py":
            for name in re.findall(r"\bgl(?:\.[A-Za-z]\w+)+(?=\()", text):
                found[name] = path.relative_to(ROOT)
    return found


def test_names_in_documents_and_docstrings_exist():
    found = written()
    assert len(found) > 100
    missing = {name: path for name, path in found.items() if public_names.resolve(name) is None}
    assert not missing


@needs_compiler
def test_every_algorithm_has_a_trace():
    assert list(TRACES) == list(algorithms()), UPDATE


@pytest.mark.thorough
@needs_compiler
@pytest.mark.parametrize("name", algorithms())
def test_operations(name):
    with simulated():
        now = traces.of(name)
    same(json.dumps(now, indent=1), json.dumps(TRACES.get(name), indent=1))


def test_a_folded_order_is_short_and_whole():
    words = list("011123234")
    assert folded(words) == "0 (1)x3 (2 3)x2 4"
    assert folded([*words, *words]) == f"({folded(words)})x2"
    assert folded([]) == ""


@pytest.mark.thorough
@needs_compiler
@pytest.mark.parametrize("name", machine_code.SCENARIOS)
def test_machine_code(name):
    if machine_code.version() != MACHINE_CODE["nvrtc"]:
        pytest.skip(f"NVRTC {machine_code.version()}, golden {MACHINE_CODE['nvrtc']}")
    same(
        json.dumps(machine_code.hashes(name), indent=1),
        json.dumps(MACHINE_CODE["code"][name], indent=1),
    )


def test_machine_code_is_that_of_any_names_but_not_of_any_text():
    machine_code.version()
    text = """
    struct Weights { double a[4]; };
    __device__ __noinline__ double total(const Weights* w, int n) { return w->a[n] * 3; }
    extern "C" __global__ void sum(const Weights* w, double* out, int n) {
        out[threadIdx.x] = total(w, n) + 1;
    }
    """

    def code(text):
        return machine_code.code_hash(compiled(text, machine_code.ARCHITECTURE))

    renamed = text
    for old, new in (
        ("total", "a"),
        ("Weights", "Zeta"),
        ("sum", "name"),
        ("out", "of"),
        ("w", "x"),
    ):
        renamed = re.sub(rf"\b{old}\b", new, renamed)
    assert renamed != text
    assert code(renamed) == code(text)
    assert code(text.replace("+ 1", "- 1")) != code(text)
    assert code(text.replace("* 3", "* 4")) != code(text)


def test_no_folder_has_fewer_tests():
    assert counts.fewer(counts.current(), counts.FILE.read_text()) == []


def test_fewer_tests_are_seen():
    assert counts.fewer('{"a": 2, "b": 9}', '{"a": 3, "b": 1, "c": 1}') == [
        "a: 2, was 3",
        "c: 0, was 1",
    ]


def test_no_public_name_has_fewer_examples():
    now, golden = public_names.current_examples(), public_names.EXAMPLES.read_text()
    assert counts.fewer(now, golden) == []
