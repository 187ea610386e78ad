"""The examples run, and the README's code does."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from statistics import median

import pytest

import graphla as gl
from tests import printed

ROOT = Path(__file__).parents[1]


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_readme_code_runs_from_top_to_bottom(tmp_path, monkeypatch, capsys):
    networkx = pytest.importorskip("networkx")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pytest.importorskip("pandas")
    pyplot.switch_backend("Agg")
    monkeypatch.chdir(tmp_path)
    chosen = list(networkx.config.backend_priority.algos)
    text = (ROOT / "README.md").read_text()
    names = {}
    try:
        for code in printed.blocks(text):
            exec(compile(code, "README.md", "exec"), names)
    finally:
        networkx.config.backend_priority.algos = chosen
        pyplot.close("all")
    assert len(printed.shown(text)) >= 6
    assert printed.missing(text, capsys.readouterr().out) is None


def test_the_readme_is_short_and_its_table_is_of_the_rows(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) <= 120
    assert import_module("performance").cost_table() in text
    assert f"{len(gl.ALGORITHMS)} functions" in text


def test_the_readme_has_the_times_of_the_last_row_of_a_first_call():
    text = (ROOT / "README.md").read_text()
    *_, last = (ROOT / "benchmarks/results/first_call.jsonl").read_text().splitlines()
    row = json.loads(last)
    assert [f"{median(row[name]):.2f} s" in text for name in ("bfs_s", "product_s")] == [True] * 2


def test_the_picture_of_the_readme_is_drawn(tmp_path):
    pytest.importorskip("networkx")
    pytest.importorskip("matplotlib").use("Agg")
    load(ROOT / "examples" / "pictures.py").main(tmp_path / "picture.svg")
    stored = (ROOT / "docs/pictures/les_miserables.svg").read_text()
    drawn = (tmp_path / "picture.svg").read_text()
    assert re.findall("<!-- (.*) -->", drawn) == re.findall("<!-- (.*) -->", stored) != []


def test_the_charts_show_the_values_of_the_rows(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    rows = import_module("performance")
    chart = (ROOT / "docs/pictures/cost_of_the_algebra.svg").read_text()
    ratios = [x for _, _, _, *line in rows.cost_lines() for x in line if x]
    assert len(ratios) > 15
    assert sorted(re.findall(r">(\d+\.\d)</text>", chart)) == sorted(f"{x:.1f}" for x in ratios)
    chart = (ROOT / "docs/pictures/h200.svg").read_text()
    times = [x for _, *line in rows.h200_lines() for x in line if x]
    assert [x for x in times if f">{rows.short(x)}</text>" not in chart] == []


@pytest.mark.thorough
def test_the_demonstration_verifies_every_algorithm(tmp_path, monkeypatch, capsys):
    from graphla.comparison import measure, quiet
    from graphla.comparison.algorithms import ALGORITHMS

    monkeypatch.setattr(measure, "PAUSE", 0)
    monkeypatch.setattr(quiet, "wait_for_quiet", lambda max_wait: (None, 0.0))
    monkeypatch.chdir(tmp_path)
    demo = load(ROOT / "examples" / "demo.py")
    demo.SECONDS, demo.SCALE, demo.VERTICES = 0, 11, 500  # few trials: times are not tested
    demo.main()
    text = capsys.readouterr().out
    results, _, end = text.partition("Every result passed")
    for name, algorithm in ALGORITHMS.items():
        row = re.search(rf"│ {name} +│", results)  # "triangles" is also the unit of a result
        assert bool(row) == (name in end) == (algorithm.variant_of is None)
    for name, count in [("transitive_closure", 2), ("bfs", 4), ("triangle_count", 2)]:
        assert len(re.findall(rf"\b{name}\b", results)) == count
    assert "kron:11" in end
    assert re.search("By hand is typically|(Nothing|Little) to conclude", end)
    assert (tmp_path / "demo" / "results.png").stat().st_size > 10_000


NO_WAIT = """
from graphla.comparison import quiet
quiet.wait_for_quiet = lambda max_wait: (None, 0.0)  # times are not tested
"""
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_stored_without_outputs(path):
    cells = json.loads(path.read_text())["cells"]
    assert all(not c["outputs"] and c["execution_count"] is None for c in cells if "outputs" in c)


@pytest.mark.thorough
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path, tmp_path, monkeypatch):
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.getenv("PYTHONPATH", "")]))
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(NO_WAIT))
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=300, resources=resources).execute()
    *_, last = notebook.cells
    if last.source.endswith(".failed"):  # the rows that failed: none
        assert last.outputs[0]["data"]["text/plain"] == "()"
    assert [
        c for c in notebook.cells for o in c.get("outputs", ()) if "image/png" in o.get("data", ())
    ]


def test_the_example_of_ranks_runs_as_one_and_as_three(monkeypatch, capsys):
    example = load(ROOT / "examples" / "four_ranks.py")
    monkeypatch.setattr("sys.argv", ["four_ranks.py", "--scale", "8"])
    found = []
    for ranks in (1, 3):
        gl.ranks.in_process(ranks, example.main)
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].endswith(f"of {ranks}")
        found.append(lines[-2:])
    assert found[0] == found[1]
    assert "triangles" in found[0][0]


def test_the_example_of_dask_runs():
    pytest.importorskip("distributed")
    pytest.importorskip("pyarrow")
    command = [sys.executable, ROOT / "examples" / "dask_cluster.py", "--scale", "8"]
    path = os.pathsep.join([str(ROOT), os.getenv("PYTHONPATH", "")])
    ended = subprocess.run(
        command, capture_output=True, text=True, timeout=120, env=os.environ | {"PYTHONPATH": path}
    )
    assert ended.returncode == 0, ended.stderr
    assert "undirected, 256 vertices" in ended.stdout
    *_, triangles, _, _, files = ended.stdout.splitlines()
    G = gl.generate.kronecker(8, seed=1)
    assert f"{gl.triangle_count(G):,} triangles" in triangles
    assert files == "2 files of levels"


def test_the_content_query_finds_its_rows(monkeypatch, capsys):
    example = load(ROOT / "examples" / "content_query.py")
    monkeypatch.setattr("sys.argv", ["content_query.py", "--rows", "50000"])
    example.main()
    assert "people fit, the first of the richest is row" in capsys.readouterr().out


def test_the_code_of_the_star_machine_runs(capsys):
    codes = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "star.md").read_text(), re.DOTALL)
    for code in codes:
        exec(compile(code, "star.md", "exec"), {})
    out = capsys.readouterr().out
    assert "Slice('10000')\nSlice('01000')\n" in out
    assert "812 vertices are reached from vertex 1" in out
