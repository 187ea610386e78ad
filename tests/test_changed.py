"""The tests that are chosen for changed files."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests import changed

pytestmark = pytest.mark.thorough


def test_those_of_the_same_name_first_then_doctests_then_those_that_import_it():
    found = changed.chosen([Path("graphla/errors.py")])
    assert found[0] == "tests/test_errors.py"
    end = found.index("graphla/errors.py")
    assert all(Path(path).name == "test_errors.py" for path in found[:end])
    assert "tests/native/cuda/test_bfs.py" in found[end:]
    assert len(found) == len(set(found))


def test_tests_beside_a_module_come_before_others_of_its_name():
    assert changed.chosen([Path("graphla/io/results.py")])[0] == "tests/io/test_results.py"
    assert changed.chosen([Path("graphla/verify/__init__.py")])[0] == "tests/verify/test_verify.py"
    assert changed.chosen([Path("graphla/star/cpu_loops.py")])[0] == "tests/star/test_procedures.py"


def test_changed_tests_come_first():
    paths = [Path("graphla/core/tracing.py"), Path("tests/algorithms/traversal/test_bfs.py")]
    assert changed.chosen(paths)[0] == "tests/algorithms/traversal/test_bfs.py"


def test_a_kernel_has_the_tests_of_what_launches_it():
    [kernel] = changed.ROOT.glob("graphla/**/spgemm_masked.cu")
    found = changed.chosen([kernel.relative_to(changed.ROOT)])
    assert found[0] == "tests/cuda/operations/spgemm/test_masked.py"
    assert all(path.startswith("tests/") for path in found)


def test_pages_have_theirs_and_other_files_none():
    assert changed.chosen([Path("docs/how-to/kernel.md")]) == ["tests/test_docs.py"]
    assert changed.chosen([Path("CHANGELOG.md")]) == []


def test_what_helpers_read_and_benchmarks_have_those_that_import_them():
    found = changed.chosen([Path("tests/cuda/shim.h")])
    assert "tests/cuda/conftest.py" not in found
    assert "tests/test_tiny.py" in found
    found = changed.chosen([Path("tests/cuda/simulated_kernels.json")])
    assert found[0] == "tests/cuda/test_kernel_units.py"
    assert "tests/benchmarks/test_mutations.py" in changed.chosen([Path("benchmarks/mutations.py")])


def test_files_that_only_moved_are_not_changed(tmp_path, monkeypatch):
    monkeypatch.setattr(changed, "ROOT", tmp_path)

    def git(*arguments):
        author = ("-c", "user.name=x", "-c", "user.email=x@y")
        subprocess.run(["git", *author, *arguments], cwd=tmp_path, check=True, capture_output=True)

    lines = "".join(f"line {k} = {k * k}\n" for k in range(200))
    for name in ("moved", "altered", "gone"):
        (tmp_path / f"{name}.py").write_text(f"# {name}\n{lines}")
    git("init", "--initial-branch", "main")
    git("add", ".")
    git("commit", "-m", "one")
    assert changed.changed("HEAD") == []
    git("mv", "moved.py", "elsewhere.py")
    git("rm", "gone.py")
    (tmp_path / "altered.py").write_text(lines[:-1])
    (tmp_path / "new.py").write_text("1\n")
    assert set(map(str, changed.changed(changed.base()))) == {"altered.py", "new.py"}
    git("add", ".")
    git("commit", "-m", "two")
    assert set(map(str, changed.changed(changed.base()))) == {"altered.py", "new.py"}
