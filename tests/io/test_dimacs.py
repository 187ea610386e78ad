"""DIMACS shortest-path files with their coordinates."""

from __future__ import annotations

import pytest

import graphla as gl
from graphla.io.dimacs import read_coordinates
from tests.graphs import edges
from tests.io.formats import edges_of, read_text, refuses


def test_gr_file_of_a_road_network(tmp_path):
    text = "c a comment\nc\n\np sp 4 4\nc graph\na 1 2 803\na 2 1 803\na 3 1 158\na 1 3 158\n"
    path = tmp_path / "x.gr"
    G = read_text(path, text)
    assert (G.n, G.kind, G.dtype) == (4, "directed", "INT64")
    assert edges_of(G) == [(0, 1, 803), (0, 2, 158), (1, 0, 803), (2, 0, 158)]
    assert read_text(path, text, kind="undirected").nedges == 2
    assert read_text(path, text, dtype="uint16").dtype == "UINT16"
    assert read_text(path, text, dtype="float32").dtype == "FP32"


def test_text_of_a_written_gr_file(tmp_path):
    gl.write(tmp_path / "x.gr", edges([0, 1], [1, 0], n=3))
    assert (tmp_path / "x.gr").read_text() == "c graphla: dtype=bool\np sp 3 2\na 1 2 1\na 2 1 1\n"


@pytest.mark.parametrize(
    ("text", "line", "match"),
    [
        ("", 1, "'p sp n m'; the file ends"),
        ("c only\n", 2, "'p sp n m'; the file ends"),
        ("p sp 3\n", 1, "found 'p sp 3'"),
        ("p max 3 1\n", 1, "expected 'p sp n m'"),
        ("a 1 2 3\np sp 3 1\n", 1, "expected 'p sp n m'"),
        ("p sp x 1\n", 1, "the n, in 0.*; found 'x'"),
        ("p sp 3 -1\n", 1, "the m, in 0"),
        ("p sp 3 2\na 1 2 3\n", 3, "2 times .*; the file ends after 1"),
        ("p sp 3 1\na 1 2 3\na 2 3 4\n", 3, "more (records|lines) than the header announces"),
        ("p sp 3 1\np sp 3 1\n", 2, "starts with another field"),
        ("p sp 3 1\n1 2 3\n", 2, "starts with another field"),
        ("p sp 3 1\na1 2 3\n", 2, "starts with another field"),
        ("p sp 3 1\na 1 2\n", 2, "too few fields"),
        ("p sp 3 1\na 1 2 3 4\n", 2, "too many fields"),
        ("p sp 3 1\na 1 2 3.5\n", 2, "w an integer; a number is not an integer"),
        ("p sp 3 1\na 0 2 3\n", 2, "out of range"),
        ("p sp 3 1\na 1 4 3\n", 2, "out of range"),
        (f"p sp 3 1\na 1 2 {2**63}\n", 2, "too large"),
        ("p sp 3 2\na 1 2 3\na 1 2 3\n", 3, "0 -> 1 .* occurs again"),
    ],
)
def test_gr_refused(text, line, match, tmp_path):
    refuses(tmp_path / "x.gr", text, line, match, dup=None)


def test_one_way_arcs_are_not_undirected(tmp_path):
    text = "p sp 3 3\na 1 2 5\na 2 1 5\na 2 3 5\n"
    refuses(tmp_path / "x.gr", text, 4, "1 -> 2 .* no such reverse", kind="undirected")
    text = "p sp 3 2\na 1 2 5\na 2 1 6\n"
    refuses(tmp_path / "x.gr", text, 2, "0 -> 1 .* no such reverse", kind="undirected")


def test_coordinates(tmp_path):
    path = tmp_path / "x.co"
    path.write_text("c x\np aux sp co 3\nv 3 -73530767 41085396\nv 1 7 8\n")
    x, y = read_coordinates(path)
    assert (x.size, x.dtype, y.dtype) == (3, "INT64", "INT64")
    assert [c.tolist() for c in x.to_coo()] == [[0, 2], [7, -73530767]]
    assert [c.tolist() for c in y.to_coo()] == [[0, 2], [8, 41085396]]


@pytest.mark.parametrize(
    ("text", "line", "match"),
    [
        ("p aux sp co\n", 1, "expected 'p aux sp co n'"),
        ("p sp 3 1\n", 1, "expected 'p aux sp co n'"),
        ("p aux sp co 2\nv 3 1 1\n", 2, "out of range"),
        ("p aux sp co 2\nv 1 1 1.5\n", 2, "not an integer"),
        ("p aux sp co 2\nv 1 1 1\nv 2 1 1\nv 1 1 1\n", 4, "each vertex once"),
    ],
)
def test_coordinates_refused(text, line, match, tmp_path):
    path = tmp_path / "x.co"
    path.write_text(text)
    with pytest.raises(gl.errors.ReadError, match=match) as caught:
        read_coordinates(path)
    assert caught.value.line == line
