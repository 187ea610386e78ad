"""The documentation site builds without a warning, has the whole API, and its code runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import graphla as gl

ROOT = Path(__file__).parents[1]
PAGES = ["tutorial.md", "data.md", *(f"how-to/{p.name}" for p in (ROOT / "docs/how-to").iterdir())]


def test_the_page_of_figures_is_what_the_rows_say():
    made = [sys.executable, str(ROOT / "benchmarks" / "performance.py")]
    out = subprocess.run(made, capture_output=True, text=True, check=True)
    assert out.stdout == (ROOT / "docs" / "performance.md").read_text(), "make it anew"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    if find_spec("mkdocs") is None or find_spec("mkdocstrings_handlers") is None:
        pytest.skip("mkdocs is not installed: pip install 'graphla[docs]'")
    folder = tmp_path_factory.mktemp("site")
    path = os.pathsep.join([str(ROOT), os.getenv("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=ROOT, env=os.environ | {"PYTHONPATH": path, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*.html")}


def test_the_reference_has_every_public_name(site):
    reference = "".join(text for name, text in site.items() if name.startswith("reference"))
    for name, module in gl._EXPORTS.items():
        value = getattr(gl, name)
        assert f'id="{value.__module__}.{value.__qualname__}"' in reference, (name, module)
    for name in ("generate.random.kronecker", "plot.curves.frontier", "interop.pandas.from_edges"):
        assert f'id="graphla.{name}"' in reference
    assert not re.search(r":(func|class|meth|data|mod):", reference)


def test_the_tables_are_made_of_the_raw_rows(site):
    assert site["results/index.html"].count("<table>") >= 3
    assert "kron20" in site["results/index.html"]


def test_pages_that_nobody_named_are_there(site):
    assert 'href="bfs-variants/"' in site["index.html"]


def test_links_lead_to_pages_or_become_paths_or_warn(caplog):
    pytest.importorskip("mkdocs")
    spec = spec_from_file_location("hooks", ROOT / "docs" / "hooks.py")
    hooks = module_from_spec(spec)
    spec.loader.exec_module(hooks)
    text = (
        "[a](CONTRIBUTING.md#x) [b](docs/data.md) [c](graphla/core/graph.py) [`Makefile`](Makefile)"
    )
    assert hooks.inward(text, "README.md", "index.md") == (
        "[a](contributing.md#x) [b](data.md) c (`graphla/core/graph.py`) `Makefile`"
    )
    assert (
        hooks.inward("[r](../../README.md)", "docs/how-to/x.md", "how-to/x.md")
        == "[r](../index.md)"
    )
    assert hooks.inward("[d](../no/such.py)", "docs/x.md", "x.md") == "d (`no/such.py`)"
    assert "docs/x.md links to ../no/such.py, which does not exist" in caplog.text


@pytest.mark.parametrize("page", PAGES)
def test_the_code_of_a_page_runs(page, monkeypatch, capsys):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL)
    names = {}
    for code in blocks:
        exec(compile(code, page, "exec"), names)
    pyplot.close("all")
    said = re.findall(r"print\(.*\)  # (.*)", "".join(blocks))
    out = capsys.readouterr().out
    for line in said:
        assert line in out


def test_the_newest_run_of_a_transform_counts_as_a_whole(monkeypatch, capsys):
    """What it left out is not taken from an older one, whose ratios are to another time."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    page = import_module("performance")

    def row(run, implementation, seconds, ratio):
        about = {"engine": "cpu", "algorithm": "bfs", "graph": "g", "comparison": run}
        times = {"trials_s": [seconds] * 3, "median_s": seconds, "ratio": ratio}
        return about | {"implementation": implementation} | times

    old = [row("a", "as it is", 4, 1), row("a", "by degree", 2, 0.5), row("a", "gone", 8, 2)]
    new = [row("b", "as it is", 5, 1), row("b", "by degree", 1, 0.2)]
    monkeypatch.setattr(page, "rows_of", lambda name: old + new)
    page.effects({"name": "", "introduction": "", "remarks": ""})
    assert "| cpu | `bfs` | g | 5,000.00 | by degree 0.20 |" in capsys.readouterr().out


def test_a_line_names_the_trees_of_its_rows_and_numbers_sort_as_numbers(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    page = import_module("performance")
    days = {"1": None, "2": "abcdef012345+", "3": "0123456789ab", "4": "0123456789ab"}
    rows = [{"date": date, "commit": commit} for date, commit in days.items()]
    assert page.trees(rows) == "0123456, abcdef0+, ?"
    names = ["x, 100%", "x", "x, 30%", "x24-y", "x24"]
    ordered = sorted(names, key=lambda name: page.in_order(("bfs", name)))
    assert ordered == ["x", "x24", "x24-y", "x, 30%", "x, 100%"]
