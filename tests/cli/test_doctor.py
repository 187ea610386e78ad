"""The diagnosis: versions, engines, and what is missing."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy
import pytest
from typer.testing import CliRunner

import graphla as gl
from graphla.cli import app as cli
from graphla.cli import doctor
from graphla.core import engines


def test_versions_engines_and_threads_are_shown():
    output = CliRunner().invoke(cli.app, ["doctor"]).output
    for text in (
        "graphla",
        gl.__version__,
        numpy.__version__,
        "engine cpu",
        "engine cuda",
        "Numba",
    ):
        assert text in output


@pytest.mark.parametrize("missing", ["numba", "graphblas"])
def test_what_cannot_be_imported_is_named(missing):
    program = (
        f"import sys; sys.modules[{missing!r}] = None; sys.argv[1:] = ['doctor']\n"
        "from graphla.cli.app import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True,
        env=os.environ | {"COLUMNS": "200"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"unavailable: import of {missing} halted" in done.stdout
    assert ("threads of GraphBLAS" in done.stdout) == (missing == "numba")
    assert "networkx" in done.stdout  # the rest of the table


def test_a_missing_package_comes_with_its_command(monkeypatch):
    monkeypatch.setitem(doctor.OPTIONAL, "absent-package", ("a test", "io"))
    found = dict(doctor._optional())
    assert found["absent-package"] == "not installed; for a test: pip install 'graphla[io]'"
    monkeypatch.setenv("COLUMNS", "200")
    assert "pip install 'graphla[io]'" in CliRunner().invoke(cli.app, ["doctor"]).output


def test_the_reason_for_no_device_is_shown(monkeypatch):
    monkeypatch.setattr(engines, "available", lambda engine: engine == "cpu")
    monkeypatch.setattr(doctor, "find_spec", lambda name: None)
    assert "pip install 'graphla[cuda13]'" in dict(doctor._engines())["engine cuda"]
