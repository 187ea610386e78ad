"""`graphla compare`: the runner's arguments, output, written files and exit codes."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest
from typer.testing import CliRunner

import graphla as gl
from graphla.cli import app as cli
from graphla.comparison import variants
from graphla.comparison.result import Comparison
from graphla.errors import MissingPackage
from tests.comparison.rows import row

RUNNER = "graphla.comparison.runner"
runner = CliRunner()


def ask(*words):
    return runner.invoke(cli.app, ["compare", *map(str, words)], terminal_width=220)


@pytest.fixture
def asked(monkeypatch):
    """Replace the runner by one that records its arguments and returns hand-made rows."""
    calls = []

    def compare(algorithm, G, **options):
        if algorithm == compare.stopped_at:
            raise KeyboardInterrupt
        calls.append((algorithm, G, options))
        return Comparison([row(graph=g, algorithm=algorithm, **compare.changes) for g in G])

    compare.changes = {}
    compare.stopped_at = None
    module = ModuleType(RUNNER)
    module.compare = compare
    monkeypatch.setitem(sys.modules, RUNNER, module)
    monkeypatch.setattr("graphla.comparison.runner", module, raising=False)
    return calls, compare


def test_arguments_of_the_runner(asked):
    result = ask(
        *("--graph", "kron:5", "--graph", "grid:4", "--algorithms", "bfs,sssp", "--sources", 3),
        *("--implementations", "graphla,native", "--trials", 2, "--weights", "1:9", "--seed", 5),
        *("--max-wait", 3),
    )
    assert result.exit_code == 0, result.output
    (first, G, options), (second, _, _), (_, H, _), _ = asked[0]
    assert (first, second) == ("bfs", "sssp")
    assert options == {
        "sources": 3, "implementations": ["graphla", "native"], "trials": 2, "budget": 60.0,
        "max_wait": 3.0, "seed": 5, "verify": True, "progress": False,
    }  # fmt: skip
    assert list(G) == ["kron:5"]
    assert list(H) == ["grid:4"]
    assert G["kron:5"].A.isequal(gl.generate.kronecker(5, seed=5, weights=(1, 9)).A)
    assert H["grid:4"].n == 16
    for name in ("kron:5", "grid:4", "bfs", "sssp", "Load 0.50", "minimum ms", "2.00"):
        assert name in result.output


def test_defaults(asked):
    ask("--graph", "karate")
    assert asked[0][0][0] == "bfs"
    assert asked[0][0][2]["implementations"] is None
    assert asked[0][0][2]["trials"] is None
    assert asked[0][0][2]["max_wait"] == 10


def test_a_graph_file(asked, tmp_path):
    gl.write(tmp_path / "path.el", gl.generate.path(4))
    assert ask("--graph", tmp_path / "path.el").exit_code == 0
    (name,) = asked[0][0][1]
    assert name == "path.el"


def test_duplicate_edges_of_a_file_combine(asked, tmp_path):
    (tmp_path / "twice.wel").write_text("0 1 5\n0 1 3\n1 2 1\n")
    for dup, weight in (((), 3), (("--dup", "max"), 5)):
        assert ask("--graph", tmp_path / "twice.wel", *dup).exit_code == 0
        (G,) = asked[0][-1][1].values()
        assert G.A[0, 1].new().value == weight


def test_files_of_the_same_name_keep_their_folders(asked, tmp_path):
    paths = [tmp_path / folder / "path.el" for folder in ("one", "two")]
    for path in paths:
        path.parent.mkdir()
        gl.write(path, gl.generate.path(4))
    ask("--graph", paths[0], "--graph", paths[1], "--graph", "star:6")
    names = [name for _, graphs, _ in asked[0] for name in graphs]
    assert names == [str(paths[0]), str(paths[1]), "star:6"]


def test_written_files(asked, tmp_path):
    words = ("--graph", "star:6", "--html", tmp_path / "x.html", "--jsonl", tmp_path / "x.jsonl")
    for times in (1, 2):
        assert ask(*words).exit_code == 0
        assert len(Comparison.from_jsonl(tmp_path / "x.jsonl")) == times
    assert "star:6" in (tmp_path / "x.html").read_text()


def test_rows_before_an_interrupt_are_written(asked, tmp_path):
    asked[1].stopped_at = "sssp"
    ask("--graph", "grid:3", "--algorithms", "bfs,sssp", "--jsonl", tmp_path / "x.jsonl")
    assert [r["algorithm"] for r in Comparison.from_jsonl(tmp_path / "x.jsonl")] == ["bfs"]


def test_levels(asked, tmp_path):
    result = ask("--graph", "star:6", "--levels", "--html", tmp_path / "x.html")
    assert result.exit_code == 0, result.output
    assert "level by level: 3 levels, 6 vertices" in result.output
    page = (tmp_path / "x.html").read_text()
    assert page.count("<svg") == 3
    assert "star:6 from vertex 1" in page
    assert "level by level" in page


def test_levels_start_at_the_largest_degree_without_a_search(asked):
    result = ask("--graph", "star:6", "--algorithms", "pagerank", "--levels")
    assert "level by level: 2 levels, 6 vertices" in result.output


def test_a_failure_is_reported_with_exit_code_one(asked, tmp_path):
    asked[1].changes = {"verified": False, "error": "vertex 3 is wrong", "trials": ()}
    result = ask("--graph", "star:6", "--jsonl", tmp_path / "x.jsonl")
    assert result.exit_code == 1
    assert "FAILED" in result.output
    assert "vertex 3 is wrong" in result.output
    assert Comparison.from_jsonl(tmp_path / "x.jsonl").failed


def test_skipped_and_unverified_rows_are_not_failures(asked):
    asked[1].changes = {"verified": None, "skipped": "no room", "trials": ()}
    assert ask("--graph", "star:6").exit_code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--graph", "no/such/file.mtx"), "neither a file nor"),
        (("--graph", "star:6", "--algorithms", "bsf"), "unknown algorithm 'bsf'"),
        (("--graph", "star:6", "--weights", "1:9"), "has no"),
        (("--graph", "star:6", "--html", "no/such/folder/x.html"), "folder"),
        (("--graph", "star:6", "--sources", 0), "sources"),
        (("--graph", "star:6", "--max-wait", -1), "max-wait"),
        (("--graph", "star:6", "--algorithms", ","), "--algorithms is empty"),
        ((), "--graph"),
    ],
)
def test_bad_arguments(asked, words, message):
    result = ask(*words)
    assert result.exit_code == 2
    assert message in result.output
    assert asked[0] == []


def test_weighted_algorithms_take_files_with_their_own_weights(asked, tmp_path):
    path = tmp_path / "square.wel"
    path.write_text("0 1 3\n1 2 4\n")
    result = ask("--graph", path, "--graph", "kron:5", "--algorithms", "bfs,sssp")
    assert result.exit_code == 0, result.output


def test_weights_are_not_drawn_for_graphs_without_random_ones(asked):
    result = ask("--graph", "star:6", "--graph", "kron:4", "--algorithms", "sssp")
    assert result.exit_code == 0, result.output
    (_, stars, _), (_, krons, _) = asked[0]
    assert not stars["star:6"].weighted
    assert krons["kron:4"].weighted


def test_options_of_files(asked, tmp_path):
    (path := tmp_path / "x.csv").write_text("km,to,from\n5,1,0\n7,2,1\n")
    options = ("--src", "from", "--dst", "to", "--weight", "km", "--kind", "undirected", "--n", 9)
    result = ask("--graph", path, "--graph", "path:4", *options)
    assert result.exit_code == 0, result.output
    (_, files, _), (_, paths, _) = asked[0]
    assert repr(files["x.csv"]) == "<Graph: undirected, 9 vertices, 2 edges, INT64, cpu>"
    assert paths["path:4"].n == 4
    refused = ask("--graph", "path:4", "--n", 9)
    assert refused.exit_code == 2
    assert "--n is for files only" in refused.output


def test_weights_are_not_drawn_for_a_file(asked, tmp_path):
    gl.write(tmp_path / "path.el", gl.generate.path(4))
    assert ask("--graph", tmp_path / "path.el", "--weights", "1:2").exit_code == 2


@pytest.mark.thorough
def test_from_the_command_line_to_the_page(tmp_path):
    result = ask(
        *("--graph", "kron:6", "--algorithms", "bfs,connected_components", "--sources", 4),
        *("--implementations", "graphla,native", "--trials", 4, "--levels"),
        *("--html", tmp_path / "page.html", "--jsonl", tmp_path / "rows.jsonl"),
    )
    assert result.exit_code == 0, result.output
    comparison = Comparison.from_jsonl(tmp_path / "rows.jsonl")
    assert {(r["algorithm"], r["implementation"]) for r in comparison} == {
        (a, i) for a in ("bfs", "connected_components") for i in ("graphla", "native")
    }
    assert all(r["verified"] and len(r["trials_s"]) == 4 for r in comparison)
    ratio = comparison.ratios()["kron:6", "bfs", "native"]
    assert ratio.pairs == 4
    assert (tmp_path / "page.html").read_text().count("<svg") == 3


def test_variants(asked, monkeypatch):
    monkeypatch.setattr(
        variants, "register_variants", lambda name: ("sssp", [name, "graphla-cuda"])
    )
    assert ask("--graph", "grid:3", "--variants", "near").exit_code == 0
    ask("--graph", "grid:3", "--variants", "near", "--implementations", "native")
    found = [(algorithm, options["implementations"]) for algorithm, _, options in asked[0]]
    assert found == [("sssp", ["near", "graphla-cuda"]), ("sssp", ["native"])]


def test_variants_that_cannot_run(asked):
    result = ask("--graph", "star:6", "--variants", "sorting")
    assert result.exit_code == 2
    assert "variants='sorting'" in result.output


def test_an_unknown_implementation_is_named_as_an_option(asked):
    result = ask("--graph", "grid:3", "--implementations", "nativ")
    assert result.exit_code == 2
    assert "unknown implementation 'nativ': did you mean 'native'?" in result.output
    assert not asked[0]


def test_a_page_without_matplotlib_is_refused_before_the_trials(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    result = ask("--graph", "star:6", "--html", tmp_path / "x.html")
    assert isinstance(result.exception, MissingPackage)
    assert "pip install 'graphla[plot]'" in str(result.exception)
    assert not (tmp_path / "x.html").exists()
