"""The backend's metadata, which NetworkX reads when it is imported."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from graphla.interop.networkx import info

ROOT = Path(__file__).parents[3]


def test_entry_points_exist():
    points = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
    module, _, name = points["networkx.backend_info"]["graphla"].partition(":")
    assert getattr(import_module(module), name) is info.get_info
    backend = import_module(points["networkx.backends"]["graphla"])
    assert {"convert_from_nx", "convert_to_nx", "can_run", "should_run"} <= set(vars(backend))


def test_no_function_is_missing_or_unknown():
    from graphla.interop.networkx import backend

    assert all(callable(getattr(backend, name)) for name in info.FUNCTIONS)
    with pytest.raises(AttributeError, match="nonsense"):
        backend.nonsense
    assert len(info.FUNCTIONS) == sum(len(names.split()) for names in info.MODULES.values())
    assert set(info.get_info()["functions"]) == set(info.FUNCTIONS)
    assert {name for names in info.NOTES for name in names.split()} <= set(info.FUNCTIONS)
    assert "sort_neighbors" in info.get_info()["functions"]["bfs_tree"]["additional_docs"]


def test_info_loads_nothing():
    code = (
        "import sys, graphla.interop.networkx.info as i; i.get_info(); "
        "assert not {'networkx', 'numpy', 'graphblas'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_all_functions_are_in_the_documentation():
    page = (ROOT / "docs" / "networkx.md").read_text()
    assert {name for name in info.FUNCTIONS if f"`{name}`" not in page} == set()
    assert f"{len(info.FUNCTIONS)} functions" in page
