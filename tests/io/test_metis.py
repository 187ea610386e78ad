"""METIS graphs, also read by NetworKit."""

from __future__ import annotations

import networkit as nk
import pytest
from hypothesis import given

import graphla as gl
from tests.graphs import edges
from tests.io.formats import edges_of, graphs_for, read_text, refuses
from tests.strategies import examples


def test_the_graphs_of_the_metis_manual(tmp_path):
    plain = "% figure 2a\n7 11\n5 3 2\n1 3 4\n5 4 2 1\n2 3 6 7\n1 3 6\n5 4 7\n6 4\n"
    G = read_text(tmp_path / "x.graph", plain)
    assert (G.n, G.nedges, G.kind, G.weighted) == (7, 11, "undirected", False)
    assert read_text(tmp_path / "x.graph", plain, kind="directed").nedges == 22
    weighted = (
        "7 11 001\n5 1 3 2 2 1\n1 1 3 2 4 1\n5 3 4 2 2 2 1 2\n2 1 3 2 6 2 7 5\n"
        "1 1 3 3 6 2\n5 2 4 2 7 6\n6 6 4 5\n"
    )
    G = read_text(tmp_path / "x.graph", weighted)
    assert (G.dtype, G.A[3, 6].new().value) == ("INT64", 5)


@examples(30)
@given(G=graphs_for(".graph"))
def test_networkit_reads_what_is_written(tmp_path_factory, G):
    path = tmp_path_factory.getbasetemp() / "nk.graph"
    if G.n == 0 or (G.weighted and G.A.nvals and G.max_weight > 2**31):
        return
    if G.nself_edges:
        return  # NetworKit counts a self-loop's ends otherwise
    gl.write(path, G)
    H = nk.readGraph(str(path), nk.Format.METIS)
    assert (H.numberOfNodes(), H.numberOfEdges()) == (G.n, G.nedges)
    for i, j, w in edges_of(G):
        assert H.weight(i, j) == w


def test_lines_of_vertices_without_neighbours(tmp_path):
    path = tmp_path / "x.graph"
    G = read_text(path, "4 1\n\n4\n% c\n\n2\n\n% the end\n \n")
    assert [e[:2] for e in edges_of(G)] == [(1, 3), (3, 1)]
    gl.write(path, G)
    assert path.read_text() == "4 1\n\n4\n\n2\n"
    gl.write(path, edges([], [], n=2, kind="undirected"))
    assert path.read_text() == "2 0\n\n\n"


def test_metis_self_loops_are_listed_once(tmp_path):
    G = read_text(tmp_path / "x.graph", "2 2\n1 2\n1\n")
    assert (G.nedges, G.nself_edges) == (2, 1)


@pytest.mark.parametrize(
    ("text", "line", "match"),
    [
        ("", 1, "'n m .fmt.'; the file ends"),
        ("3\n", 1, "found 1 words"),
        ("3 2 1 1\n", 1, "found 4 words"),
        ("3 2 11\n", 1, "vertex weights and sizes are not supported; found '11'"),
        ("3 2 100\n", 1, "vertex weights"),
        ("3 2 2\n", 1, "vertex weights"),
        ("3 -2\n", 1, "the m, in 0"),
        ("9 2\n2\n1 3\n", 1, "9 lines after this one"),
        ("3 2\n2\n1 3\n", 4, "the file ends early"),
        ("3 2\n2\n% c\n1 3\n", 5, "the file ends early"),
        ("2 1\n2\n1\n1\n", 4, "more (records|lines) than the header announces"),
        ("2 1\n2 2\n1\n", 3, "more (records|lines) than the header announces"),
        ("3 2\n2\n1\n\n", 1, "2 edges, 4 neighbours .* found 2 neighbours"),
        ("2 1\n2\n0\n", 3, "out of range"),
        ("2 1\n2\n3\n", 3, "out of range"),
        ("2 1\n2\nx\n", 3, "not a number"),
        ("2 1 1\n2 5\n1\n", 3, "each with an integer weight; the line has too few fields"),
        ("2 1 1\n2 5\n1 6\n", 2, "with one weight"),
        ("2 1 1\n2 5\n1 5.0\n", 3, "not an integer"),
        ("2 1 1\n2 0\n1 0\n", 2, "edge weights > 0"),
        ("3 1\n2\n\n2\n", 2, "0 -> 1 .* no such reverse"),
        ("2 2\n2 2\n1 1\n", 2, "0 -> 1 .* occurs again"),
        ("% graphla: dtype=int8\n2 1 1\n2 128\n1 128\n", 3, "dtype int8"),
    ],
)
def test_metis_refused(text, line, match, tmp_path):
    refuses(tmp_path / "x.graph", text, line, match, dup=None)


def test_metis_options(tmp_path):
    path = tmp_path / "x.graph"
    assert read_text(path, "2 2\n2 2\n1 1\n", dup="min").nedges == 1
    refuses(path, "2 1\n2\n1\n", 1, "edge weights .fmt 1. of dtype int8; found none", dtype="int8")
    assert not read_text(path, "2 1\n2\n1\n", dtype=bool).weighted
    assert read_text(path, "2 1 1\n2 9\n1 9\n", dtype="float64").dtype == "FP64"
