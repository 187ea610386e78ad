"""Every algorithm runs from the command line."""

from __future__ import annotations

import pytest
import typer
from typer.testing import CliRunner

import graphla as gl
from graphla.cli import app as cli
from graphla.cli.algorithms import call_arguments, list_algorithms, names, parameters

runner = CliRunner()
VALUES = {"k": 3, "src": [0, 1], "dst": [2, 3], "community": [v % 2 for v in range(34)]}


DIRECTED = ("is_arborescence", "is_branching")


def words(name):
    if name == "katz_centrality":  # its default does not converge on this graph
        yield from ("--argument", "alpha=0.01")
    for p in parameters(name):
        if p.default is p.empty:
            yield from (
                ["--source", "0"] if p.name.startswith("source") else
                ["--argument", f"{p.name}={VALUES[p.name]}"]
            )  # fmt: skip


@pytest.mark.parametrize("name", names())
def test_every_algorithm_runs(name, tmp_path):
    gl.write(tmp_path / "path.npz", gl.Graph.from_edges([0, 1], [1, 2]))
    graph = tmp_path / "path.npz" if name in DIRECTED else "karate"
    result = runner.invoke(cli.app, ["run", name, str(graph), *words(name)])
    assert result.exit_code == 0, result.output
    assert result.output.startswith(f"{name}: ")


def test_the_list_names_all_and_what_they_need():
    lines = list_algorithms().splitlines()
    assert [line.split()[0] for line in lines] == sorted({*gl.ALGORITHMS} - {"louvain_levels"})
    assert {"bfs --source V", "k_core --argument k=...", "pagerank"} <= set(lines)


def test_an_algorithm_that_yields_results_is_unknown():
    result = runner.invoke(cli.app, ["run", "louvain_levels", "karate"])
    assert result.exit_code == 2
    assert "unknown algorithm" in result.output


def test_arguments_are_literals_or_strings():
    found = call_arguments("pagerank", None, ["damping=0.5", "dtype=FP32"])
    assert found == {"damping": 0.5, "dtype": "FP32"}


@pytest.mark.parametrize(
    ("name", "source", "texts", "message"),
    [
        ("pagerank", [0], (), "pagerank has no --source"),
        ("bfs", [0, 1], (), "bfs has exactly one --source"),
        ("bfs", None, (), "bfs needs --source"),
        ("k_core", None, (), "k_core needs --argument k=..."),
        ("k_core", None, ["k"], "'k' has no '=': write NAME=VALUE"),
    ],
)
def test_missing_and_surplus_arguments(name, source, texts, message):
    with pytest.raises(typer.BadParameter, match=message):
        call_arguments(name, source, texts)
