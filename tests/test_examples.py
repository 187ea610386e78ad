"""The examples run, and the README's code does."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_readme_code_runs(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})
    assert "Graph: undirected, 65,536 vertices" in capsys.readouterr().out


@pytest.mark.slow
def test_the_demonstration_verifies_every_algorithm(tmp_path, monkeypatch, capsys):
    from graphla.comparison.registry import ALGORITHMS

    monkeypatch.chdir(tmp_path)
    demo = load(ROOT / "examples" / "demo.py")
    demo.main()
    text = capsys.readouterr().out
    for name, algorithm in ALGORITHMS.items():
        assert (name in text) == (algorithm.of is None)
    for name, count in [("transitive_closure", 2), ("bfs", 4), ("triangle_count", 2)]:
        assert len(re.findall(rf"\b{name}\b", text)) == count
    assert (tmp_path / "demo" / "results.png").stat().st_size > 10_000
