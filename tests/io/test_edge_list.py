"""Edge lists: SNAP's, GAP's, and tables with or without a header."""

from __future__ import annotations

import io

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import graphla as gl
from graphla.errors import IsolatedVertices
from tests.graphs import to_networkx
from tests.io.formats import edges_of, graphs_for, read_text, refuses
from tests.strategies import examples

SNAP = (
    "# Directed graph (each unordered pair of nodes is saved once): x.txt\n"
    "# Nodes: 4 Edges: 3\n# FromNodeId\tToNodeId\n0\t11\n11\t3\n% a comment\n\n3\t0\n"
)


def test_snap_file(tmp_path):
    for text in (SNAP, SNAP.replace("\n", "\r\n"), SNAP.rstrip("\n"), SNAP.replace("\t", "  ")):
        G = read_text(tmp_path / "x.txt", text)
        assert (G.n, G.kind, G.weighted) == (12, "directed", False)
        assert [e[:2] for e in edges_of(G)] == [(0, 11), (3, 0), (11, 3)]
    assert read_text(tmp_path / "x.txt", SNAP, kind="undirected").nedges == 3


@examples(50)
@given(G=graphs_for(".el"))
def test_networkx_reads_what_is_written(tmp_path_factory, G):
    path = tmp_path_factory.getbasetemp() / "nx.el"
    gl.write(path, G)
    kind = nx.Graph if G.kind == "undirected" else nx.DiGraph
    found = nx.read_edgelist(path, create_using=kind, nodetype=int)
    expected = to_networkx(G)
    assert nx.utils.edges_equal(found.edges(), expected.edges(), directed=found.is_directed())


@examples(50)
@given(G=graphs_for(".csv"))
def test_pandas_reads_what_is_written(tmp_path_factory, G):
    path = tmp_path_factory.getbasetemp() / "pd.csv"
    gl.write(path, G)
    frame = pd.read_csv(path, comment="#", float_precision="round_trip")
    assert list(frame) == ["src", "dst", "weight"][: 3 if G.weighted else 2]
    H = gl.Graph.from_edges(
        *(frame[c].to_numpy(dtype) for c, dtype in zip(frame, ("int64",) * 2, strict=False)),
        frame["weight"].to_numpy(G.dtype.np_type) if G.weighted else None,
        n=G.n,
        kind=G.kind,
    )
    assert H.A.isequal(G.A, check_dtype=True)


def test_reads_what_pandas_writes(tmp_path):
    frame = pd.DataFrame({"from": [0, 5], "to": [3, 1], "cost": [0.1, 1e-300]})
    for name, sep in (("x.csv", ","), ("x.tsv", "\t")):
        frame.to_csv(tmp_path / name, sep=sep, index=False)
        assert edges_of(gl.read(tmp_path / name)) == [(0, 3, 0.1), (5, 1, 1e-300)]


@pytest.mark.parametrize(
    ("weights", "dtype"),
    [
        (("1", "-2"), "INT64"),
        (("1", str(2**63)), "UINT64"),
        (("1", "2.0"), "FP64"),
        (("1e3", "2"), "FP64"),
        ((str(2**63), "0.5"), "FP64"),
        (("-1", "inf"), "FP64"),
        ((str(2**70), "0.5"), None),
        ((str(2**64), "1"), None),
        ((str(2**63), "-1"), None),
    ],
)
def test_default_dtype_follows_the_numbers(weights, dtype, tmp_path):
    text = f"0 1 {weights[0]}\n1 2 {weights[1]}\n"
    if dtype is None:
        line = 2 if weights[1] == "-1" else 1
        refuses(tmp_path / "x.wel", text, line, "too large|is negative")
    else:
        G = read_text(tmp_path / "x.wel", text)
        assert G.dtype == dtype
        assert [w for _, _, w in edges_of(G)] == [float(w) for w in weights]


def test_n_and_base(tmp_path):
    path = tmp_path / "x.el"
    assert read_text(path, "1 2\n", n=9).n == 9
    G = read_text(path, "1 2\n", base=1)
    assert (G.n, edges_of(G)) == (2, [(0, 1, True)])
    refuses(path, "1 2\n0 1\n", 2, "vertices from 1 .* out of range", base=1)
    refuses(path, "1 2\n", 1, "vertices from 0 to 1; .* out of range", n=2)
    assert read_text(path, "1 2\n", n=2, base=1).n == 2
    refuses(path, "1 3\n", 1, "vertices from 1 to 2", n=2, base=1)


def test_arguments_override_the_metadata(tmp_path):
    text = "# graphla: n=5 kind=undirected dtype=int8\n0 1 3\n"
    path = tmp_path / "x.tsv"
    G = read_text(path, text)
    assert (G.n, G.kind, G.dtype) == (5, "undirected", "INT8")
    G = read_text(path, text, n=4, kind="directed", dtype="float32")
    assert (G.n, G.kind, G.dtype) == (4, "directed", "FP32")
    assert read_text(path, "# graphla: a library\n0 1 3\n").n == 2
    assert read_text(path, "0 1 3\n# graphla: n=7\n").n == 2  # below the head: a comment


def test_an_undirected_edge_is_listed_once(tmp_path):
    path = tmp_path / "x.wel"
    refuses(
        path,
        "0 1 5\n1 2 1\n1 0 4\n",
        3,
        "1 -- 0 .* again: of 3 edges 1",
        kind="undirected",
        dup=None,
    )
    G = read_text(path, "0 1 5\n1 0 4\n", kind="undirected", dup="min")
    assert edges_of(G) == [(0, 1, 4), (1, 0, 4)]
    assert read_text(path, "0 1 5\n1 0 4\n").nedges == 2


def test_the_first_repeated_edge_is_named(tmp_path):
    text = "5 6\n0 1\n5 6\n0 1\n0 1\n"
    refuses(tmp_path / "x.el", text, 3, "5 -> 6 .* again: of 5 edges 3 repeat .* dup=", dup=None)
    assert read_text(tmp_path / "x.el", text).nmerged == 3


def test_header_lines_of_csv_and_tsv(tmp_path):
    for text in ("a,b\n1,2\n", "# c\n\na,b\n1,2\n", "source,target\n1,2\n", " 1 , 2 \n"):
        assert edges_of(read_text(tmp_path / "x.csv", text)) == [(1, 2, True)]
    assert read_text(tmp_path / "x.tsv", "a\tb\tw\n1\t2\t3\n").dtype == "INT64"
    assert read_text(tmp_path / "x.csv", "a,b,w\n").weighted
    assert not read_text(tmp_path / "x.csv", "a,b\n").weighted
    refuses(tmp_path / "x.csv", "a,2\n1,2\n", 1, "not a number")
    refuses(tmp_path / "x.csv", "a,b\nc,d\n", 2, "not a number")
    refuses(tmp_path / "x.el", "a b\n1 2\n", 1, "not a number")


def test_files_without_edges(tmp_path):
    for text in ("", "\n", "# only a comment\n", " \t\r\n"):
        for suffix, weighted in ((".el", False), (".wel", True), (".csv", False)):
            G = read_text(tmp_path / f"x{suffix}", text)
            assert (G.n, G.nedges, G.weighted) == (0, 0, weighted)


@pytest.mark.parametrize(
    ("suffix", "text", "line", "match"),
    [
        (".el", "0 1\n2\n", 2, "too few fields .character 2.: '2'"),
        (".el", "0\n", 1, "two vertices .* too few fields"),
        (".el", "0 1\n1 2 3\n", 2, "too many fields"),
        (".el", "0 1 2 3\n", 1, "and a weight; the line has too many fields"),
        (".el", "0 -1\n", 1, "out of range"),
        (".el", f"0 {2**60}\n", 1, "out of range"),
        (".el", f"0 {2**64}\n", 1, "too large"),
        (".el", "0 1.0\n", 1, "not an integer"),
        (".el", "0,1\n", 1, "not a number"),
        (".el", "0 1#\n", 1, "not a number"),
        (".el", b"0 1\n0 \x00\n", 2, "not a number"),
        (".wel", "0 1\n", 1, "and a weight; the line has too few fields"),
        (".wel", "0 1 NaN\n", 1, "NaN weight .character 5.: '0 1 NaN'"),
        (".wel", "0 1 1.5\n1 2 1e400\n", 2, "too large for FP64"),
        (".csv", "0 1\n", 1, "not a number"),
        (".csv", "0,1,2\n1,2,\n", 2, "NaN weight .character 5: empty."),
        (".csv", "0,,1\n", 1, "not a number"),
        (".csv", "0,1\n1,2,3\n", 2, "too many fields"),
        (".csv", '"0","1\n', 1, "not a number"),
        (".csv", "0,1\nBob,1\n", 2, r"not a number .* labels, .* gl\.interop\.pandas\.from_edges"),
        (".csv", '0,1\n"2","Bob"\n', 2, r"not a number .* labels, .* gl\.interop"),
        (
            ".el",
            "0 alice\n",
            1,
            r"not a number .*'0 alice'; if vertices have labels, .* gl\.interop",
        ),
        (".el", "3 1000000007\n", 1, r"found 1,000,000,007: .* labels, gl\.interop"),
        (".tsv", "# graphla: dtype=int8\n0\t1\t128\n", 2, "dtype int8"),
        (".tsv", "# graphla: n=-1\n", None, None),
        (".tsv", "# graphla: n=x\n0\t1\n", 1, "metadata such as"),
        (".tsv", "# graphla: kind=mixed\n0\t1\n", 1, "found kind=mixed"),
    ],
)
def test_refused(suffix, text, line, match, tmp_path):
    if match is None:  # a hyphen makes it a plain comment
        assert read_text(tmp_path / f"x{suffix}", text).n == 0
    else:
        refuses(tmp_path / f"x{suffix}", text, line, match)


def test_requested_weights_must_exist(tmp_path):
    refuses(tmp_path / "x.el", "0 1\n", 1, "and a weight; .* too few fields", dtype="float64")
    G = read_text(tmp_path / "x.el", "0 1 1\n", dtype=bool)
    assert not G.weighted


def test_many_random_weights_are_read_as_python_reads_them(tmp_path):
    rng = np.random.default_rng(3)
    bits = rng.integers(0, 2**64, 20_000, dtype=np.uint64).view(np.float64)
    weight = bits[np.isfinite(bits)]
    ends = np.arange(weight.size)
    text = io.StringIO()
    for v, w in zip(ends.tolist(), weight.tolist(), strict=True):
        text.write(f"{v} {v} {w!r}\n")
    G = read_text(tmp_path / "x.wel", text.getvalue())
    assert (G.A.to_coo()[2] == weight).all()
    gl.write(tmp_path / "y.wel", G)
    assert (tmp_path / "y.wel").read_text() == text.getvalue()


@pytest.mark.parametrize(
    "text",
    ["from;to;km\n0;1;5\n1;2;2.5\n", "0;1;5\n1;2;2.5\n", 'x;km;to;from\n"a;b";5;1;0\n;2.5;2;1\n'],
)
def test_semicolons_separate_the_columns_of_a_csv_file(tmp_path, text):
    options = {"weight": "km"} if "km" in text else {}
    if "x;" in text:
        options |= {"src": "from", "dst": "to"}
    G = read_text(tmp_path / "x.csv", text, **options)
    assert edges_of(G) == [(0, 1, 5), (1, 2, 2.5)]


def test_decimal_commas_are_refused(tmp_path):
    refuses(tmp_path / "x.csv", "from;to;km\n0;1;2,5\n", 2, "not a number")


def test_vertices_that_may_be_labels_are_met_with_a_warning(tmp_path):
    with pytest.warns(IsolatedVertices, match="only 3 of 31 vertices have an edge"):
        read_text(tmp_path / "x.csv", "a,b\n10,20\n20,30\n")
