"""The command line: files, output and exit codes."""

from __future__ import annotations

import runpy
import subprocess
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

import graphla as gl
from graphla.cli import app as cli
from graphla.errors import InvalidValue, OutOfMemory, ReadError
from tests.graphs import edges

runner = CliRunner()


@pytest.fixture
def square(tmp_path):
    """A file with a weighted undirected square and one diagonal."""
    path = tmp_path / "square.wel"
    gl.write(path, edges([0, 1, 2, 3, 0], [1, 2, 3, 0, 2], [1, 2, 3, 4, 9], n=4, kind="undirected"))
    return path


def ask(*words):
    return runner.invoke(cli.app, [str(word) for word in words])


def test_info_describes(square):
    result = ask("info", square)
    assert result.exit_code == 0
    for text in ("undirected", "INT64, 1 to 9", "2.50"):
        assert text in result.output


def test_info_describes_a_generated_graph():
    assert "156" not in ask("info", "karate").output  # entries; an undirected edge is two
    assert "78" in ask("info", "karate").output
    assert "is for files only" in ask("info", "kron:4", "--n", 9).output
    assert "neither a file nor" in ask("info", "no_such_generator:4").output


def test_version():
    result = ask("--version")
    assert (result.exit_code, result.output) == (0, f"graphla {gl.__version__}\n")


def test_duplicates_are_merged_and_counted_or_refused(tmp_path):
    path = tmp_path / "twice.csv"
    path.write_text("0,1\n0,1\n")
    assert "duplicates merged" in ask("info", path).output
    error = ask("info", path, "--dup", "none").exception
    assert isinstance(error, ReadError)
    assert error.line == 2


def test_duplicates_have_one_rule_in_all_commands(tmp_path):
    path = tmp_path / "twice.csv"
    path.write_text("0,1\n0,1\n1,2\n")
    search = ("run", "bfs", path, "--source", 0)
    for command in (("info", path), search, ("convert", path, tmp_path / "x.mtx")):
        assert ask(*command).exit_code == 0
        assert isinstance(ask(*command, "--dup", "none").exception, ReadError)
    refused = ask("compare", "--graph", path, "--dup", "none")
    assert isinstance(refused.exception, ReadError)


def test_columns_are_named_and_vertices_counted(tmp_path):
    path = tmp_path / "named.csv"
    path.write_text("cost,b,a\n5,0,1\n7,1,2\n")
    words = ("--src", "a", "--dst", "b", "--weight", "cost", "--n", 4)
    assert "INT64, 5 to 7" in ask("info", path, *words).output
    found = tmp_path / "search.csv"
    assert ask("run", "bfs", path, *words, "--source", 2, "--output", found).exit_code == 0
    assert found.read_text() == "vertex,level,parent\n0,2,1\n1,1,2\n2,0,2\n"
    assert ask("convert", path, tmp_path / "x.mtx", *words).exit_code == 0
    G = gl.read(tmp_path / "x.mtx")
    assert (G.n, [x.tolist() for x in G.A.to_coo()]) == (4, [[1, 2], [0, 1], [5, 7]])


def test_info_of_too_many_vertices(tmp_path):
    path = tmp_path / "far.csv"
    path.write_text("# graphla: n=1000000000000000\n0,999999999999999\n")
    assert isinstance(ask("info", path).exception, OutOfMemory)


def test_info_of_an_empty_graph(tmp_path):
    path = tmp_path / "none.el"
    gl.write(path, edges([], [], n=0))
    assert "vertices" in ask("info", path).output


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("bfs", "--source", 0), "4 reached, depth 1"),
        (("sssp", "--source", 0), "4 reached, farthest 4"),
        (("bellman_ford", "--source", 1), "4 reached, farthest 5"),
        (("minimum_spanning_forest",), "3 edges, weight 6"),
        (("transitive_closure",), "16 pairs"),
        (("connected_components",), "1 component ("),
        (("strongly_connected_components",), "1 strong component ("),
        (("triangle_count",), "2 triangles"),
        (("pagerank",), "iterations"),
        (("pagerank", "--argument", "damping=0.5"), "iterations"),
        (("betweenness_centrality", "--source", 0, "--source", 1), "largest"),
        (("core_number",), "largest core 2"),
        (("k_truss", "--argument", "k=3"), "5 edges"),
        (("louvain", "--argument", "resolution=2"), "modularity"),
    ],
)
def test_run_answers_and_verifies(square, words, answer):
    result = ask("run", words[0], square, *words[1:])
    assert result.exit_code == 0, result.output
    assert answer in result.output
    assert "\nverified" in result.output


def test_run_draws_weights_of_a_generated_graph():
    words = ("run", "sssp", "kron:5", "--source", 0, "--seed", 3)
    weighted, plain = ask(*words, "--weights", "1:255").output, ask(*words).output
    assert "verified" in weighted
    assert weighted.split(" (")[0] != plain.split(" (")[0]  # another farthest distance


def test_run_without_verification(square):
    assert "verified" not in ask("run", "triangle_count", square, "--no-verify").output


def test_run_lists_the_algorithms():
    assert "minimum_spanning_forest" in ask("run", "list").output.split()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("bsf",), "unknown algorithm 'bsf'"),
        (("bfs",), "needs --source"),
        (("bfs", "--source", 0, "--source", 1), "exactly one --source"),
        (("triangle_count", "--source", 0), "has no"),
    ],
)
def test_run_refuses(square, words, message):
    result = ask("run", words[0], square, *words[1:])
    assert result.exit_code == 2
    assert message in result.output


def test_run_needs_a_file():
    assert "missing" in ask("run", "bfs", "--source", 0).output


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".npz"])
def test_results_are_written(square, tmp_path, suffix):
    target = tmp_path / f"levels{suffix}"
    assert ask("run", "bfs", square, "--source", 1, "--output", target).exit_code == 0
    if suffix == ".npz":
        table = np.load(target)
        assert table["level"].tolist() == [1, 0, 1, 2]
    else:
        mark = "," if suffix == ".csv" else "\t"
        first, second, *_ = target.read_text().splitlines()
        assert first == mark.join(["vertex", "level", "parent"])
        assert second == mark.join(["0", "1", "1"])


def test_a_result_that_verify_cannot_judge_is_written(square, tmp_path, monkeypatch):
    def cannot(*args):
        raise InvalidValue("beyond [it]")

    monkeypatch.setattr(gl.verify, "triangle_count", cannot)
    target = tmp_path / "count.csv"
    result = ask("run", "triangle_count", square, "--output", target)
    assert result.exit_code == 0
    assert "not verified: beyond [it]" in result.output
    assert target.read_text().split() == ["value", "2"]


def test_an_unknown_output_format_is_refused_before_the_work(square):
    for words in (("convert", square), ("generate", "kron:30")):
        assert isinstance(ask(*words, "graph.xls").exception, InvalidValue)


def test_an_unknown_suffix_is_refused_before_the_run(square):
    for target in ("levels.xls", "no/such/folder/levels.csv"):
        result = ask("run", "bfs", square, "--source", 0, "--output", target)
        assert isinstance(result.exception, InvalidValue)


@pytest.mark.parametrize(
    ("words", "n"),
    [
        (("kron:6",), 64),
        (("uniform:5", "--weights", "1:9"), 32),
        (("grid:4x6", "--seed", 3), 24),
        (("ssca2:5",), 32),
        (("path:7",), 7),
        (("karate",), 34),
    ],
)
def test_generate(tmp_path, words, n):
    path = tmp_path / "made.npz"
    result = ask("generate", words[0], path, *words[1:])
    assert result.exit_code == 0, result.output
    G = gl.read(path)
    assert n == G.n
    assert G.weighted == ("--weights" in words or words[0] == "karate")


@pytest.mark.parametrize("spec", ["nothing:3", "kron:x", "path", "path:3x4"])
def test_generate_refuses(tmp_path, spec):
    result = ask("generate", spec, tmp_path / "x.el")
    assert result.exit_code == 2


def test_weights_only_for_random_graphs(tmp_path):
    assert ask("generate", "path:3", tmp_path / "x.el", "--weights", "1:2").exit_code == 2


def test_convert(square, tmp_path):
    target = tmp_path / "square.mtx"
    assert ask("convert", square, target).exit_code == 0
    assert gl.read(target).A.isequal(gl.read(square).A)


def test_errors_are_one_line_with_exit_code_one(tmp_path):
    bad = tmp_path / "bad.wel"
    bad.write_text("0 1 2\n0 x 3\n")
    code = "from graphla.cli.app import main; main()"
    for words, text in [
        (["info", str(bad)], "bad.wel:2"),
        (["info", str(tmp_path / "absent.mtx")], "absent.mtx"),
    ]:
        done = subprocess.run(
            [sys.executable, "-c", code, *words], capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        assert text in done.stderr.replace("\n", "")
        assert "Traceback" not in done.stderr


def test_ctrl_c_is_quiet(monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "app", interrupted)
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 130


@pytest.mark.thorough
def test_graph500(tmp_path):
    path = tmp_path / "rows.jsonl"
    words = "--scale", 6, "--searches", 2, "--algorithms", "bfs,sssp", "--kernel", "native"
    result = ask("graph500", *words, "--jsonl", path)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "SCALE:                          6"
    assert sum("harmonic_mean_TEPS:     !  " in line for line in lines) == 2
    assert len(path.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--scale", 0), "scale=0 must be in 1..31"),
        (("--scale", 4, "--kernel", "fast"), "kernel 'fast' matches 0"),
        (("--scale", 4, "--engine", "tpu"), "engine 'tpu' is not one of"),
        (("--scale", 4, "--algorithms", "bfs,pagerank"), "pagerank"),
        (("--scale", 4, "--ranks", 2, "--devices", 2), "not both"),
        (("--scale", 4, "--ranks", 2, "--algorithms", "sssp"), "--algorithms bfs"),
        (("--scale", 4, "--ranks", 2, "--kernel", "native"), "--kernel algebraic"),
    ],
)
def test_graph500_refuses(words, message):
    result = ask("graph500", *words)
    assert result.exit_code == 1
    assert message in str(result.exception)


def test_graph500_on_ranks(tmp_path):
    path = tmp_path / "rows.jsonl"
    words = "--scale", 6, "--searches", 2, "--ranks", 2, "--max-wait", 0
    result = ask("graph500", *words, "--jsonl", path)
    assert result.exit_code == 0, result.output
    assert "num_mpi_processes:              2" in result.output
    assert len(path.read_text().splitlines()) == 1


def test_graph500_refuses_a_missing_folder(tmp_path):
    result = ask("graph500", "--scale", 4, "--jsonl", tmp_path / "no" / "rows.jsonl")
    assert result.exit_code == 2
    assert "there is no folder" in result.output.replace("\n", " ")


def test_an_error_of_graphla_is_one_line(monkeypatch, capsys):
    def failing():
        raise InvalidValue("scale=[0] must be in 1..31")

    monkeypatch.setattr(cli, "app", failing)
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 1
    assert capsys.readouterr().err == "InvalidValue: scale=[0] must be in 1..31\n"


def test_run_as_a_module(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["graphla", "run", "list"])
    with pytest.raises(SystemExit) as stop:
        runpy.run_module("graphla.cli", run_name="__main__")
    assert stop.value.code == 0
    assert "pagerank" in capsys.readouterr().out


def test_errors_name_the_options_of_the_command_line(tmp_path):
    (path := tmp_path / "x.csv").write_text("a,b,c,d\n0,1,2,3\n")
    options = ("--src", "a", "--dst", "b")
    for words, message in (
        (("info", path), "or --src and --dst that name two of the columns"),
        (("run", "bfs", path, *options, "--source", 9), "--source 9 is not a vertex"),
        (("run", "triangle_count", path, *options), "(--kind undirected symmetrises)"),
    ):
        assert message in str(ask(*words).exception)
    with pytest.raises(ReadError, match="or src= and dst= that name"):
        gl.read(path)  # after commands, in Python


def test_vertices_that_may_be_labels_are_met_with_a_warning(tmp_path):
    (path := tmp_path / "x.csv").write_text("10,20\n20,30\n")
    text = "only 3 of 31 vertices have an edge"
    result = ask("info", path)
    assert result.exit_code == 0
    assert text in result.stderr
    assert "--n 31 takes them" in " ".join(result.stderr.split())
    assert text not in ask("info", path, "--n", 31).stderr
