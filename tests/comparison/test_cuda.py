"""The algebraic implementation on engine "cuda", on a device or its simulator."""

import pytest

import graphla as gl
from graphla.comparison import implementations as known
from graphla.comparison import measure
from graphla.core import engines, results
from graphla.cuda.runtime.device import device
from graphla.errors import EngineUnavailable
from tests.cuda.conftest import cuda_device  # noqa: F401
from tests.graphs import random_graph

G = random_graph(30, 100, kind="undirected", dtype="int32")
NAMES = ["graphla", "graphla-cuda"]


@pytest.mark.thorough
@pytest.mark.parametrize("algorithm", ["bfs", "sssp", "minimum_spanning_forest", "pagerank"])
def test_both_engines_are_verified(algorithm):
    c = gl.compare(algorithm, G, sources=2, trials=2, implementations=NAMES)
    rows = {row["implementation"]: row for row in c.rows}
    assert list(rows) == NAMES
    assert [row["error"] or row["verified"] for row in rows.values()] == [True, True]
    assert [row["engine"] for row in rows.values()] == ["cpu", "cuda"]
    assert [row["memory"] for row in rows.values()] == ["host", "device"]
    assert all(len(row["trials_s"]) == 2 for row in rows.values())
    assert rows["graphla-cuda"]["peak_bytes"] >= 0
    assert rows["graphla"]["machine"]["gpu"] == device.about()["gpu"]


def test_timing_includes_a_synchronisation(monkeypatch):
    waits = []
    monkeypatch.setattr(device.active, "synchronise", lambda: waits.append(1), raising=False)
    gl.compare("triangle_count", G, trials=3, implementations="graphla-cuda")
    assert len(waits) >= 3


@pytest.fixture
def engines_of_checks(monkeypatch):
    """Return a list that records the engine of every check."""
    engines = []

    def watched(check):
        return lambda H, *arguments: (engines.append(H.engine), check(H, *arguments))

    for name in ("bfs", "betweenness_centrality"):
        monkeypatch.setattr(gl.verify, name, watched(getattr(gl.verify, name)))
    return engines


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("algorithm", "engine", "expected"),
    [
        ("bfs", "cpu", ["cpu", "cuda"]),
        ("bfs", "cuda", ["cuda", "cuda"]),
        ("betweenness_centrality", "cpu", ["cpu", "cpu"]),
        ("betweenness_centrality", "cuda", ["cpu", "cpu"]),
    ],
)
def test_engine_on_which_results_are_verified(engines_of_checks, algorithm, engine, expected):
    c = gl.compare(algorithm, G.to(engine), sources=1, trials=1, implementations=NAMES)
    assert [row["verified"] for row in c.rows] == [True, True]
    assert engines_of_checks == [*expected, *expected]


@pytest.mark.thorough
def test_a_device_graph_is_not_copied_to_the_device_again(monkeypatch):
    sent = []
    moved = engines.moved
    monkeypatch.setattr(engines, "moved", lambda x, there: (sent.append(there), moved(x, there))[1])
    graphs = {"there": G.to("cuda")}
    sent.clear()
    rows = gl.compare(["bfs", "pagerank"], graphs, sources=1, trials=2, implementations=NAMES).rows
    assert sent == ["cpu"]
    assert [row["verified"] for row in rows] == [True] * 4
    (peer,) = gl.compare("bfs", graphs, sources=1, trials=1, implementations="scipy").rows
    assert peer["verified"]


@pytest.mark.parametrize("engine", ["cpu", "cuda"])
def test_a_wrong_result_is_found_on_the_device(engines_of_checks, engine):
    def wrong(H, source):
        level, parent = gl.bfs(H, source)
        level(level.S) << 0
        return level, parent

    wrong_entry = known.Implementation(
        "wrong", "bfs", "levels, parents", wrong, lambda G: G.to("cuda"),
        lambda G, result: results.BFS(*result), family="native", engine="cuda",
    )  # fmt: skip
    known.register(wrong_entry)
    try:
        (row,) = gl.compare("bfs", G.to(engine), sources=1, implementations="wrong").rows
    finally:
        known.unregister(wrong_entry)
    assert (row["verified"], engines_of_checks) == (False, ["cuda"])
    assert "VerificationError: level[" in row["error"]


def test_prepare_caches_properties_and_results_are_verified():
    (i,) = [i for i in known.implementations("bfs", "cuda") if i.name == "graphla-cuda"]
    H = i.prepare(G)
    assert (H.engine, G.engine) == ("cuda", "cpu")
    assert {"AT", "out_degree", "max_out_degree"} <= set(H.cached)
    result = i.result(G, i.run(H, 0))
    gl.verify.bfs(G, 0, result.level, result.parent)
    assert i.prepare(H).engine == "cuda"


@pytest.mark.thorough
def test_ratios_are_to_the_algebra_on_the_cpu():
    c = gl.compare("bfs_levels", G, sources=2, implementations=NAMES)
    assert {r.to for r in c.ratios().values()} == {"graphla"}
    only = gl.compare("bfs_levels", G, sources=2, implementations=["graphla-cuda"])
    assert {r.to for r in only.ratios().values()} == {"graphla-cuda"}


def test_entries_of_an_unavailable_engine_are_left_out(monkeypatch):
    assert engines.available("cuda")

    class Nothing:
        @property
        def xp(self):
            raise EngineUnavailable("engine 'cuda' needs an NVIDIA GPU and CuPy: pip install ...")

    monkeypatch.setattr(device, "active", Nothing())
    assert not engines.available("cuda")
    assert not known.implementations(engine="cuda")
    assert measure.machine()["gpu"] is None
    rows = gl.compare("bfs", G, sources=1, trials=1, implementations="algebraic").rows
    assert [row["implementation"] for row in rows] == ["graphla"]
    with pytest.raises(EngineUnavailable, match="GPU and CuPy"):
        gl.compare("bfs", G, implementations=["graphla-cuda"])


def test_from_the_command_line():
    from typer.testing import CliRunner

    from graphla.cli.app import app

    asked = ["compare", "--graph", "grid:5", "--sources", "2", "--trials", "2"]
    done = CliRunner().invoke(app, [*asked, "--implementations", "graphla,native,graphla-cuda"])
    assert done.exit_code == 0, done.output
    assert "graphla-cuda" in done.output
