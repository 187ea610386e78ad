"""The files of a release agree with the package, and its smoke test passes."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import graphla as gl
from tests import installed

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_every_file_has_the_same_version():
    assert PROJECT["project"]["version"] == gl.__version__
    citation = (ROOT / "CITATION.cff").read_text()
    assert re.search(r"^version: (.*)$", citation, re.M)[1] == gl.__version__
    assert re.search(r"^license: (.*)$", citation, re.M)[1] == PROJECT["project"]["license"]
    first = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.M)[1]
    assert first == gl.__version__


def test_the_source_distribution_has_every_part_of_the_repository():
    included = set(PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"])
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a checkout of the repository")
    parts = {line.split("/")[0] for line in listed.stdout.splitlines()}
    assert {"graphla", "tests"} <= parts
    hidden = {part for part in parts if part.startswith(".")}
    assert parts - hidden - {"pyproject.toml"} <= included  # the build adds pyproject.toml itself
    assert all((ROOT / part).exists() for part in included)


def test_the_smoke_test_passes_here_and_sees_a_missing_file():
    installed.check_names()
    installed.check_algorithms()
    assert installed.weight()["numpy"] > 1
    code = "import graphla; graphla.__file__ = 'absent/__init__.py'; from tests import installed; "
    out = subprocess.run(
        [sys.executable, "-c", code + "installed.check_names()"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "the package lacks ['data/les_miserables.wel'" in out.stderr
