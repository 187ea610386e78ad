"""The protocol of compare: checks, order, failures, trials, and the rows."""

from __future__ import annotations

import gc
import json
from itertools import pairwise

import pytest

import graphla as gl
from graphla.comparison import implementations as known
from graphla.comparison.implementations import Implementation, register, unregister
from graphla.comparison.runner import rotated_order
from graphla.errors import DomainMismatch, InvalidIndex, InvalidValue, MissingPackage
from tests.graphs import edges, random_graph

FIELDS = {
    "comparison",
    *("date", "commit", "machine", "versions", "algorithm", "implementation", "family", "engine"),
    *("graph", "fingerprint", "n", "nvals", "prepare_s", "trials_s", "median_s", "gteps"),
    *("load", "foreign_cpu_s", "foreign_cpu_share", "quiet", "waited_s"),
    *("peak_bytes", "memory", "verified", "returns", "error", "skipped", "sources"),
}
G = random_graph(40, 160, kind="undirected", dtype="int32")


@pytest.fixture
def fake():
    """Register implementations for one test."""
    added = []

    def add(name, run, algorithm="triangle_count", **fields):
        made = Implementation(name, algorithm, "count", run, **fields)
        added.append(register(made))
        return made

    before = known.implementations()
    yield add
    for made in added:
        unregister(made)
    assert known.implementations() == before


def one(name, algorithm="triangle_count", **options):
    (row,) = gl.compare(algorithm, G, implementations=[name], **options).rows
    return row


def test_a_row_has_every_field_and_is_json():
    row = one("graphla", "sssp", sources=3)
    assert set(row) == FIELDS
    json.dumps(row)
    assert row["verified"] is True
    assert row["machine"]["threads"] >= 1
    assert len(row["trials_s"]) == len(row["sources"]) == 3
    mean = sum(row["trials_s"]) / 3
    assert row["gteps"] == pytest.approx(G.nedges / mean / 1e9, abs=1e-6)
    assert one("graphla", trials=2)["gteps"] is None


def test_only_algorithms_with_weights_get_them():
    assert (
        one("graphla", "sssp", trials=1)["fingerprint"] != one("graphla", trials=1)["fingerprint"]
    )


def test_a_wrong_implementation_gets_a_failed_row(fake):
    fake("wrong", lambda G, start: gl.triangle_count(G) + 1)
    row = one("wrong")
    assert row["verified"] is False
    assert row["error"].startswith("VerificationError: ")
    assert (row["trials_s"], row["median_s"], row["gteps"]) == ([], None, None)
    assert one("wrong", verify=False, trials=2)["verified"] is None


def test_an_exception_does_not_end_the_comparison(fake):
    fake("bang", lambda G, start: 1 / 0)
    late = iter([1, 1, 1])  # both untimed calls and one trial
    fake("late", lambda G, start: gl.triangle_count(G) * next(late))
    rows = gl.compare("triangle_count", G, implementations=["bang", "late", "graphla"]).rows
    rows = {row["implementation"]: row for row in rows}
    assert rows["bang"]["error"] == "ZeroDivisionError: division by zero"
    assert rows["late"]["error"].startswith("StopIteration")
    for name in ("bang", "late"):
        assert (rows[name]["verified"], rows[name]["trials_s"]) == (False, [])
    assert len(rows["graphla"]["trials_s"]) == 16


def test_a_refusal_is_reported(fake):
    fake("never", lambda G, start: 1 / 0, refuses=lambda G: f"{G.n} vertices are too many")
    row = one("never")
    assert row["skipped"] == "40 vertices are too many"
    assert (row["error"], row["verified"], row["trials_s"]) == (None, None, [])
    D = edges([0], [1], n=2)
    (row,) = gl.compare("triangle_count", D, implementations=["graphla"]).rows
    assert row["skipped"] == "defined on undirected graphs only"


def test_trials_alternate_in_rotated_order(fake):
    ran = []
    for name in "abc":
        fake(name, lambda prepared, start, name=name: ran.append(name) or 0)
    gl.compare("triangle_count", G, implementations=list("abc"), trials=6, verify=False)
    rounds = ["".join(ran[k : k + 3]) for k in range(6, 24, 3)]
    assert ran[:6] == list("aabbcc")  # untimed
    assert rounds == ["".join(rotated_order(list("abc"), k)) for k in range(6)]
    assert all(sorted(each) == list("abc") for each in rounds)
    after = "".join(rounds)
    for name in "abc":
        assert len({x for x, y in pairwise(after) if y == name} - {name}) == 2


@pytest.mark.thorough
def test_every_round_has_its_source(fake):
    begun = []
    fake("log", lambda prepared, start: begun.append(start), algorithm="bfs_levels")
    row = one("log", "bfs_levels", sources=[5, 3, 8], trials=4, verify=False)
    assert begun == [5, 5, 5, 3, 8, 5]
    assert row["sources"] == [5, 3, 8]
    begun.clear()
    one("log", "bfs_levels", sources=16, verify=False)
    assert len(set(begun)) == 16
    assert all(G.out_degree[v].value for v in begun)
    fake("log", lambda prepared, start: begun.append(start), algorithm="betweenness_centrality")
    row = one("log", "betweenness_centrality", sources=2, trials=1, verify=False)
    assert [len(batch) for batch in row["sources"]] == [4, 4]
    fake("log", lambda prepared, start: begun.append(start), algorithm="all_pairs_shortest_paths")
    row = one("log", "all_pairs_shortest_paths", sources=[0] * 70, trials=1, verify=False)
    assert [len(batch) for batch in row["sources"]] == [64, 6]


def test_every_row_of_distances_is_verified(fake):
    def wrong(G, sources):
        D = gl.all_pairs_shortest_paths(G, sources)
        D[1, sources[0]] << -1
        return D

    fake("wrong", wrong, algorithm="all_pairs_shortest_paths")
    row = one("wrong", "all_pairs_shortest_paths", sources=[3, 5, 8])
    assert row["verified"] is False
    assert "VerificationError" in row["error"]


def test_garbage_is_not_collected_inside_a_trial(fake):
    seen = []
    fake("gc", lambda prepared, start: seen.append(gc.isenabled()) or 0)
    one("gc", trials=3, verify=False)
    assert seen == [True, True, False, False, False]
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


@pytest.mark.thorough
def test_the_budget_bounds_the_trials(fake):
    from time import sleep

    fake("slow", lambda prepared, start: sleep(0.02))
    assert len(one("slow", budget=0.1, verify=False)["trials_s"]) in (3, 4, 5)
    assert len(one("slow", budget=0.001, verify=False)["trials_s"]) == 3
    assert len(one("slow", budget=0.001, trials=2, verify=False)["trials_s"]) == 2


def test_what_verify_cannot_judge_is_none(fake, monkeypatch):
    def beyond(*args, **options):
        raise InvalidValue("beyond 1e308 paths")

    monkeypatch.setattr(gl.verify, "betweenness_centrality", beyond)
    row = one("graphla", "betweenness_centrality", trials=1)
    assert (row["verified"], row["error"], len(row["trials_s"])) == (None, None, 1)


def test_an_interrupt_restores_garbage_collection(fake):
    def interrupt(prepared, start):
        raise KeyboardInterrupt

    fake("ctrl-c", interrupt)
    with pytest.raises(KeyboardInterrupt):
        one("ctrl-c")
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
    assert one("graphla", trials=1)["verified"] is True


@pytest.mark.thorough
def test_several_graphs_keep_their_names():
    rows = gl.compare(
        ["bfs", "triangle_count"], {"a": G, "b": gl.generate.karate()},
        sources=1, trials=1, implementations=["algebraic"],
    ).rows  # fmt: skip
    assert [(r["graph"], r["algorithm"], r["n"]) for r in rows] == [
        *[("a", "bfs", 40), ("a", "triangle_count", 40)],
        *[("b", "bfs", 34), ("b", "triangle_count", 34)],
    ]


@pytest.mark.parametrize(
    ("error", "message", "algorithm", "options"),
    [
        (InvalidValue, "'bsf' is not one of .*'bfs'", "bsf", {}),
        (InvalidValue, "'gpu' is not one of .*'scipy'", "bfs", {"implementations": ["gpu"]}),
        (InvalidValue, "trials=0", "bfs", {"trials": 0}),
        (InvalidValue, "budget=0", "bfs", {"budget": 0}),
        (InvalidValue, "max_wait=-1", "bfs", {"max_wait": -1}),
        (InvalidValue, "max_wait=inf", "bfs", {"max_wait": float("inf")}),
        (DomainMismatch, "max_wait", "bfs", {"max_wait": "long"}),
        (InvalidValue, "sources=0", "bfs", {"sources": 0}),
        (InvalidValue, "no vertex to start from", "bfs", {"sources": []}),
        (InvalidIndex, "40 is not a vertex", "bfs", {"sources": [0, 40]}),
        (DomainMismatch, "sources", "bfs", {"sources": 1.5}),
    ],
)
def test_bad_arguments_are_refused(error, message, algorithm, options):
    with pytest.raises(error, match=message):
        gl.compare(algorithm, G, **options)


def test_a_graph_without_edges_has_no_source():
    with pytest.raises(InvalidValue, match="no vertex to start from"):
        gl.compare("sssp", {"bare": edges([], [], n=3)})
    with pytest.raises(DomainMismatch, match="from name to graph"):
        gl.compare("sssp", [[0, 1], [1, 0]])


def test_bad_entries_are_refused():
    entry = Implementation("mine", "triangle_count", "count", lambda prepared, start: 0)
    for change in ({"algorithm": "tringle"}, {"family": "friend"}):
        with pytest.raises(InvalidValue, match="is not one of"):
            register(entry._replace(**change))


def test_missing_libraries_are_left_out(fake):
    made = fake("absent", lambda prepared, start: 0, library="no_such_library")
    assert made not in known.implementations("triangle_count")
    assert {i.engine for i in known.implementations(engine="cpu")} == {"cpu"}
    assert {i.algorithm for i in known.implementations("bfs")} == {"bfs"}


def test_slow_families_run_only_if_they_are_named(fake):
    for family in ("associative", "peer"):
        fake(f"my {family}", lambda G, start: gl.triangle_count(G), family=family)
    default = {r["implementation"] for r in gl.compare("triangle_count", G, trials=1)}
    assert "my peer" in default
    assert "my associative" not in default
    assert "star" not in default
    (named,) = gl.compare("triangle_count", G, trials=1, implementations=["associative"])
    assert named["implementation"] == "my associative"


def test_the_bar_names_what_runs_and_estimates_no_time(capsys, monkeypatch):
    monkeypatch.setenv("TQDM_MININTERVAL", "0")
    graphs = {"kron:6": G, "karate": gl.generate.karate()}
    gl.compare(
        "triangle_count", graphs, trials=2, implementations=["algebraic", "native"], progress=True
    )
    shown = capsys.readouterr().err
    for text in (
        "kron:6, triangle_count: graphla, first call",
        "karate, triangle_count: native, trial 2 of 2",
        "until other processes use at most 5% of the cores",
        "12/12",
    ):
        assert text in shown
    assert "it/s" not in shown
    assert "<" not in shown  # elapsed<remaining


def test_a_library_that_is_not_installed_comes_with_its_command(fake):
    absent = fake("absent", lambda prepared, start: 0, library="no_such_library")
    with pytest.raises(MissingPackage, match=r"absent needs no_such_library.* 'graphla\[peers\]'"):
        gl.compare("triangle_count", gl.generate.path(3), implementations=[absent.name])


def test_implementations_that_have_none_of_the_algorithms_are_refused():
    with pytest.raises(InvalidValue, match="'star' has bfs; there are graphla, native"):
        gl.compare("bfs", gl.generate.karate(), implementations=["star"])
