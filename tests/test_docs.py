"""The documentation site builds without a warning, has the whole API, and its code runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import graphla as gl
from tests import printed, test_data_path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "graphla"
USERS = ["from-scipy.md", "from-graphblas.md", "semirings.md", "your-own-algorithm.md"]
HOW_TO = [f"how-to/{p.name}" for p in (ROOT / "docs/how-to").iterdir()]
PAGES = ["tutorial.md", "data.md", *USERS, *HOW_TO]
GUIDES = ["docs/design.md", "CONTRIBUTING.md", *(f"docs/{p}" for p in HOW_TO)]
FOLDERS = (ROOT, PACKAGE, PACKAGE / "cuda", PACKAGE / "cuda" / "kernels")  # that paths start from
PATH = re.compile(r"([\w.-]*/[\w./-]+|[\w.-]+\.(?:py|cu|cuh|toml))(?:::([\w.]+))?")


def test_the_performance_page_is_generated_from_the_rows():
    command = [sys.executable, str(ROOT / "benchmarks" / "performance.py")]
    out = subprocess.run(command, capture_output=True, text=True, check=True)
    page = ROOT / "docs" / "performance.md"
    assert out.stdout == page.read_text(), "python benchmarks/performance.py > docs/performance.md"


@pytest.fixture(scope="module")
def site_folder(tmp_path_factory):
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
    return folder


@pytest.fixture(scope="module")
def site(site_folder):
    return {str(p.relative_to(site_folder)): p.read_text() for p in site_folder.rglob("*.html")}


@pytest.mark.thorough
def test_the_reference_has_every_public_name(site):
    reference = "".join(text for name, text in site.items() if name.startswith("reference"))
    for name, module in gl._EXPORTS.items():
        if module != "graphla.io":  # whose functions are documented where they are defined
            assert f'id="{module}.{name}"' in reference
    for name in ("generate.random.kronecker", "plot.curves.frontier", "interop.pandas.from_edges"):
        assert f'id="graphla.{name}"' in reference
    assert not re.search(r":(func|class|meth|data|mod):", reference)


@pytest.mark.thorough
def test_the_site_opens_from_disk_without_requests_to_other_hosts(site, site_folder):
    assert len(site) > 60
    for name, text in site.items():
        loaded = re.findall(r"<(?:script|link|img|iframe)\b[^>]*https?:[^>]*>", text)
        assert loaded == [], name
        assert 'class="mermaid"' not in text, name  # the theme would load its script
        links = set(re.findall(r'(?:href|src)="(?!https?:|mailto:|data:|#)([^"#?]+)', text))
        assert links, name
        folder = (site_folder / name).parent
        if name == "404.html":  # a server shows it in any folder: its links begin at the root
            links = {link.removeprefix("/") for link in links} - {"."}
        assert [link for link in links if not (folder / link).is_file()] == [], name


@pytest.mark.thorough
def test_an_algorithm_has_a_page_with_formula_cost_example_and_related_functions(site):
    pages = [p.stem for p in (PACKAGE / "algorithms").rglob("*.py") if f"{p.stem}" in gl.__all__]
    assert len(pages) > 25
    for name in pages:
        text = site[f"reference/{name}.html"]
        for part in ("<strong>Cost</strong>", "<strong>Source</strong>", "Examples", "See also"):
            assert part in text, (name, part)
    formula = re.search(r"<code>q&lt;~visited.*?</code>", site["reference/bfs.html"], re.DOTALL)
    assert "(pull)\n" in formula[0]
    assert "any.secondi A" in formula[0]
    assert "gl.native.bfs" in site["reference/bfs.html"]
    assert "gl.native" not in site["reference/transitivity.html"].partition("See also</")[2]


@pytest.mark.thorough
def test_the_tables_are_generated_from_the_raw_rows(site):
    assert site["results.html"].count("<table>") >= 3
    assert "kron20" in site["results.html"]


@pytest.mark.thorough
def test_pages_that_the_navigation_does_not_name_are_in_it(site):
    assert 'href="bfs-variants.html"' in site["index.html"]


def test_a_link_leads_to_a_page_or_becomes_a_path_or_warns(caplog):
    pytest.importorskip("mkdocs")
    spec = spec_from_file_location("hooks", ROOT / "docs" / "hooks.py")
    hooks = module_from_spec(spec)
    spec.loader.exec_module(hooks)
    text = (
        "[a](CONTRIBUTING.md#x) [b](docs/data.md) [c](graphla/core/graph.py) [`Makefile`](Makefile)"
    )
    assert hooks.rewrite_links(text, "README.md", "index.md") == (
        "[a](contributing.md#x) [b](data.md) c (`graphla/core/graph.py`) `Makefile`"
    )
    assert (
        hooks.rewrite_links("[r](../../README.md)", "docs/how-to/x.md", "how-to/x.md")
        == "[r](../index.md)"
    )
    assert hooks.rewrite_links("[d](../no/such.py)", "docs/x.md", "x.md") == "d (`no/such.py`)"
    assert "docs/x.md links to ../no/such.py, which does not exist" in caplog.text


@pytest.mark.parametrize("page", GUIDES)
def test_paths_and_names_in_a_guide_exist(page):
    """A path is code (`a/b.py`), perhaps with a name that the file defines (`a/b.py::A.method`)."""
    text = re.sub(r"```.*?```", "", (ROOT / page).read_text(), flags=re.DOTALL)
    paths = [PATH.fullmatch(code) for code in re.findall(r"`([^`]+)`", text)]
    paths = [found for found in paths if found and not re.search(r"NAME|FILE", found[0])]
    assert paths or page not in GUIDES[:2]
    for found in paths:
        path, names = found.groups()
        files = [folder / path for folder in FOLDERS if (folder / path).exists()]
        if "/" not in path:  # a file name, which is unique among kernels
            files += PACKAGE.rglob(path)
        assert files, f"{page} names {path}, which does not exist"
        for name in names.split(".") if names else ():
            definition = rf"^\s*(?:(?:def|class) {name}\b|{name}\b.*=)"
            assert re.search(definition, files[0].read_text(), re.MULTILINE), found[0]


def test_the_design_names_every_kernel_file_and_every_file_of_a_search():
    text = (ROOT / "docs/design.md").read_text()
    kernels = list((PACKAGE / "cuda" / "kernels").rglob("*.cu"))
    assert kernels
    assert [path.name for path in kernels if f"/{path.name}`" not in text] == []
    files = test_data_path.COMMON | test_data_path.CUDA
    assert [path for path in files if f"| `{path}` |" not in text] == []


def test_the_picture_of_the_design_has_every_layer():
    text = (ROOT / "docs/design.md").read_text()
    picture = text.split("```text")[1].split("```")[0]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    lines = [line for contract in contracts["contracts"] for line in contract.get("layers", ())]
    layers = re.findall(r"\w+", " ".join(lines))
    assert {"core", "runtime"} <= set(layers)
    assert [name for name in layers if not re.search(rf"\b{name}\b", picture)] == []


@pytest.mark.parametrize("page", PAGES)
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch, capsys):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    monkeypatch.chdir(tmp_path)  # a page may write files
    text = (ROOT / "docs" / page).read_text()
    names = {}
    for code in printed.blocks(text):
        exec(compile(code, page, "exec"), names)
    pyplot.close("all")
    assert printed.missing(text, capsys.readouterr().out) is None


def test_a_line_that_is_only_a_part_of_the_output_is_missing():
    page = "```python\nprint(x)  # 5; a remark\nprint(y)  # 7\n```\nprints\n\n```\n a\nb\n```\n"
    assert printed.shown(page) == ["5", "7", " a", "b"]
    assert printed.missing(page, "5\nother\n7\n a\nb\n") is None
    assert printed.missing(page, "15\n7\n a\nb\n") == "5"
    assert printed.missing(page, "7\n5\n a\nb\n") == "7"
    assert printed.missing(page, "5\n7\n a\nbc\n") == "b"


def test_only_the_newest_run_of_a_transform_is_reported(monkeypatch, capsys):
    """An older run is no substitute for missing rows: its ratios have another base."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    page = import_module("performance")

    def row(run, implementation, seconds, ratio):
        about = {"engine": "cpu", "algorithm": "bfs", "graph": "g", "comparison": run}
        times = {"trials_s": [seconds] * 3, "median_s": seconds, "ratio": ratio}
        return about | {"implementation": implementation} | times

    old = [row("a", "as it is", 4, 1), row("a", "by degree", 2, 0.5), row("a", "gone", 8, 2)]
    new = [row("b", "as it is", 5, 1), row("b", "by degree", 1, 0.2)]
    monkeypatch.setattr(page, "rows_of", lambda name: old + new)
    page.effects({"name": "", "introduction": ""})
    assert "| cpu | `bfs` | g | 5,000.00 | by degree: 5.0 times faster |" in capsys.readouterr().out


def test_rows_of_the_device_without_a_known_commit_are_left_out(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    page = import_module("performance")

    def row(graph, commit, day, gpu="H200"):
        about = {"algorithm": "bfs", "implementation": "native-cuda", "median_s": 1.0}
        return about | {"graph": graph, "commit": commit, "date": day, "machine": {"gpu": gpu}}

    rows = [
        row("a", "0123", "2026-11-22T01:00"), row("b", None, "2026-11-23T01:00"),
        row("c", "0123+", "2026-11-21T23:00"), row("d", "0123", "2026-11-23T01:00", gpu=None),
    ]  # fmt: skip
    monkeypatch.setattr(page, "rows_of", lambda name: rows if name == "cuda" else [])
    assert list(page.read()) == [("bfs", "a")]


def test_a_line_names_the_days_of_its_rows_and_numbers_sort_as_numbers(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    page = import_module("performance")
    rows = [{"date": f"2026-11-{day}T01:00"} for day in (22, 23, 22)]
    assert page.days_of(rows) == "2026-11-23, 2026-11-22"
    names = ["x, 100%", "x", "x, 30%", "x24-y", "x24"]
    ordered = sorted(names, key=lambda name: page.natural_order(("bfs", name)))
    assert ordered == ["x", "x24", "x24-y", "x, 30%", "x, 100%"]
