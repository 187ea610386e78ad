"""Files that ranks read in parts: the graph of one process that reads them one behind the other."""

from __future__ import annotations

import gzip
import warnings
from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import (
    DomainMismatch,
    InvalidGraph,
    InvalidValue,
    IsolatedVertices,
    ReadError,
    UnknownArgument,
)
from tests.graphs import random_graph
from tests.strategies import examples

DUPS = ("min", "max", "sum", "first", "last")


def read_by_ranks(path, ranks=3, **options):
    """Return what each rank knows of the graph: its matrix, facts and largest share."""

    def run(member):
        H = member.read(path, **options)
        return H.A.gathered(), H.kind, H.nmerged, H.A.local(H.A.axis).nvals

    found = gl.ranks.in_process(ranks, run, check_calls=True)
    for A, kind, nmerged, _ in found[1:]:
        assert A.isequal(found[0][0], check_dtype=True)
        assert (kind, nmerged) == found[0][1:3]
    return found


def assert_same(path, whole, ranks=3, piece=1 << 20, **options):
    """Check that ranks read from `path` what one process reads from the file `whole`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IsolatedVertices)
        G = gl.read(whole, **options)
    A, kind, nmerged, _ = read_by_ranks(path, ranks, piece=piece, **options)[0]
    assert A.isequal(G.A, check_dtype=True)
    assert (kind, nmerged) == (G.kind, G.nmerged)


weights = st.one_of(
    st.none(),
    st.sampled_from([(0, 9), (-5, 5), (2**63, 2**63 + 3)]),
    st.just("decimal"),
)


@st.composite
def edge_lists(draw):
    """Draw lines of edges, and where files end."""
    n = draw(st.integers(1, 12))
    count = draw(st.integers(0, 25))
    vertex = st.integers(0, n - 1)
    kind = draw(weights)
    if kind is None:
        line = st.tuples(vertex, vertex)
    elif kind == "decimal":
        value = st.sampled_from(["1", "2.5", "-0.1", "1e-3", "7"])
        line = st.tuples(vertex, vertex, value)
    else:
        line = st.tuples(vertex, vertex, st.integers(*kind))
    lines = [" ".join(map(str, draw(line))) for _ in range(count)]
    comments = draw(st.sampled_from(["", "# of a program\n", "# graphla: n=20 kind=undirected\n"]))
    cuts = sorted(draw(st.lists(st.integers(0, count), max_size=3)))
    bounds = [0, *cuts, count]
    files = [lines[a:b] for a, b in pairwise(bounds)]
    return comments, files, draw(st.sampled_from(["\n", "\r\n", "\n\n"]))


@examples(15)
@given(
    edge_lists(), st.sampled_from(DUPS), st.sampled_from([None, "directed", "undirected"]),
    st.integers(1, 4), st.sampled_from([1, 7, 40, 1000]),
)  # fmt: skip
def test_edge_lists(tmp_path_factory, drawn, dup, kind, ranks, piece):
    comments, files, newline = drawn
    folder = tmp_path_factory.mktemp("edges")
    for k, lines in enumerate(files):
        text = comments + "".join(line + newline for line in lines)
        (folder / f"part-{k}.txt").write_bytes(text.encode())
    lines = [line for part in files for line in part]
    whole = folder.with_suffix(".whole.txt")
    whole.write_text(comments + "".join(f"{line}\n" for line in lines))
    if dup == "sum" and any(len(line) > 19 for line in lines):
        dup = "max"  # the sum does not fit
    assert_same(folder, whole, ranks, piece, dup=dup, kind=kind)


@examples(8)
@given(
    st.data(), st.sampled_from(DUPS), st.sampled_from(["directed", "undirected"]),
    st.integers(1, 4), st.sampled_from(["int8", "float64", "uint32", None]),
)  # fmt: skip
def test_parquet_files(tmp_path_factory, data, dup, kind, ranks, dtype):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    folder = tmp_path_factory.mktemp("edges")
    count = data.draw(st.integers(0, 30))
    draws = data.draw(st.integers(0, 1000))
    random = np.random.default_rng(draws)
    columns = {"src": random.integers(0, 9, count), "dst": random.integers(0, 9, count)}
    if dtype is not None:
        columns["weight"] = random.integers(0, 4, count).astype(dtype)
    cuts = sorted(data.draw(st.lists(st.integers(0, count), max_size=2)))
    for k, (a, b) in enumerate(zip([0, *cuts], [*cuts, count], strict=True)):
        part = pa.table({name: x[a:b] for name, x in columns.items()})
        parquet.write_table(part, folder / f"part-{k}.parquet", row_group_size=4)
    whole = folder.with_suffix(".parquet")
    parquet.write_table(pa.table(columns), whole)
    assert_same(folder, whole, ranks, 100, dup=dup, kind=kind, n=10)


def test_shares_are_nearly_equal(tmp_path):
    G = gl.generate.kronecker(10, seed=1)
    path = tmp_path / "graph.el"
    gl.write(path, G)
    found = read_by_ranks(path, 4, kind="undirected")
    assert found[0][0].isequal(G.A)
    shares = [share for *_, share in found]
    assert sum(shares) == G.A.nvals
    assert max(shares) <= 0.35 * G.A.nvals


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_tables_with_names_and_quotes(tmp_path, suffix):
    mark = "," if suffix == ".csv" else "\t"
    head = mark.join(["to", "note", "from", "weight"]) + "\n"
    rows = [mark.join([str(k % 7), f'"a {k}"', str(k % 5), str(k % 3)]) + "\n" for k in range(40)]
    for k in range(3):
        (tmp_path / f"{k}{suffix}").write_text(head + "".join(rows[k::3]))
    whole = tmp_path / f"whole{suffix}"
    whole.write_text(head + "".join(rows[0::3] + rows[1::3] + rows[2::3]))
    paths = [tmp_path / f"{k}{suffix}" for k in range(3)]
    for piece in (1, 30, 1000):
        assert_same(paths, whole, piece=piece, dup="last")


@pytest.mark.thorough
def test_processes_read(tmp_path):
    G = random_graph(40, 200, kind="undirected", dtype="int64")
    gl.write(tmp_path / "graph.wel", G)
    with gl.ranks.start(2, threads=1) as processes:
        H = processes.read(tmp_path)
        assert (H.n, H.nedges, H.kind, H.dtype) == (G.n, G.nedges, G.kind, G.dtype)
        assert gl.triangle_count(H) == gl.triangle_count(G)


def test_compressed_files_and_patterns(tmp_path):
    lines = [f"{k % 11} {k * k % 11}\n" for k in range(50)]
    for k in range(2):
        with gzip.open(tmp_path / f"part-{k}.el.gz", "wt") as file:
            file.write("# a comment\n" + "".join(lines[25 * k : 25 * (k + 1)]))
    (tmp_path / "whole.el").write_text("".join(lines))
    assert_same(str(tmp_path / "part-*.el.gz"), tmp_path / "whole.el", piece=20)


def test_more_vertices_than_counted_ranges(tmp_path):
    path = tmp_path / "graph.el"
    path.write_text("0 199999\n100000 3\n199999 7\n")
    assert_same(path, path, n=200_000, piece=5)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_vertices_beyond_32_bits(tmp_path, kind):
    n = 1 << 33
    path = tmp_path / "graph.el"
    path.write_text(f"0 {n - 1}\n{n // 2} 3\n{n - 1} 7\n")

    def run(member):
        A = member.read(path, n=n, kind=kind, piece=5).A
        *ends, _ = A.local(A.axis).to_coo()
        ends[A.axis] = ends[A.axis] + np.uint64(A.layout.piece(n)[0])
        return list(zip(*(end.tolist() for end in ends), strict=True))

    edges = {(0, n - 1), (n // 2, 3), (n - 1, 7)}
    if kind == "undirected":
        edges |= {(j, i) for i, j in edges}
    assert sorted(chain(*gl.ranks.in_process(3, run))) == sorted(edges)


def test_no_edges(tmp_path):
    for k in range(2):
        (tmp_path / f"{k}.el").write_text("# nothing\n")
    assert_same(tmp_path, tmp_path / "0.el")
    assert_same(tmp_path, tmp_path / "0.el", n=5)
    (tmp_path / "0.wel").write_text("# nothing\n")
    assert_same(tmp_path / "0.wel", tmp_path / "0.wel")
    (tmp_path / "0.csv").write_text("src,dst,weight\n")
    assert_same(tmp_path / "0.csv", tmp_path / "0.csv", dtype="int8")


def refused(error, path, match, **options):
    with pytest.raises(error, match=match) as caught:
        gl.ranks.in_process(3, lambda member: member.read(path, **options))
    return caught.value


def test_errors_have_the_line_of_the_file(tmp_path):
    lines = [f"{k} {k + 1}\n" for k in range(100)]
    lines[73] = "7 x\n"
    path = tmp_path / "graph.el"
    path.write_text("# a comment\n" + "".join(lines))
    for piece in (10, 1 << 20):
        error = refused(ReadError, path, "not a number", piece=piece)
        assert (error.path, error.line) == (str(path), 75)
    with gzip.open(tmp_path / "graph.el.gz", "wt") as file:
        file.write("".join(lines))
    assert refused(ReadError, tmp_path / "graph.el.gz", "not a number", piece=10).line == 74


def test_errors_have_the_row_of_the_file(tmp_path):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    src = np.arange(50)
    weight = np.ones(50)
    weight[33] = np.nan
    table = pa.table({"src": src, "dst": src, "weight": weight})
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=20)
    refused(ReadError, tmp_path / "a.parquet", "row 34: .* NaN", piece=100)
    src[47] = -3
    parquet.write_table(
        pa.table({"src": src, "dst": src}), tmp_path / "b.parquet", row_group_size=9
    )
    refused(ReadError, tmp_path / "b.parquet", "row 48: .*found -3", piece=100)
    table = pa.table({"src": src, "dst": src, "weight": ["x"] * 50})
    parquet.write_table(table, tmp_path / "c.parquet")
    refused(ReadError, tmp_path / "c.parquet", "numbers")
    table = pa.table({"src": src, "dst": src, "weight": pa.array([(1, 2)] * 50)})
    parquet.write_table(table, tmp_path / "d.parquet")
    refused(ReadError, tmp_path / "d.parquet", "numbers")
    (tmp_path / "e.parquet").write_bytes(b"PAR1 and more that is none")
    refused(ReadError, tmp_path / "e.parquet", "expected a Parquet file")


def test_refusals(tmp_path):
    (tmp_path / "a.el").write_text("0 1\n1 0\n0 1\n")
    (tmp_path / "b.wel").write_text("0 1 2\n")
    (tmp_path / "c.el").write_text("# graphla: n=9\n0 1\n")
    (tmp_path / "d.el").write_text("# graphla: n=8\n0 1\n")
    (tmp_path / "e.el").write_text("0 30000000\n")
    (tmp_path / "f.wel").write_text("0 1 100\n0 1 100\n")
    (tmp_path / "g.txt").write_text("0 1 2\n")
    (tmp_path / "h.txt").write_text("0 1\n")
    (tmp_path / "none").mkdir()
    (tmp_path / "a.mtx").write_text("%%MatrixMarket matrix coordinate pattern general\n1 1 0\n")

    def path(*names):
        return [tmp_path / name for name in names]

    refused(InvalidValue, path("a.el", "b.wel"), "several formats")
    refused(InvalidValue, path("a.mtx", "a.mtx"), "2 files of .mtx")
    refused(InvalidValue, [], "empty list")
    refused(DomainMismatch, 7, "path must be")
    refused(FileNotFoundError, tmp_path / "none", "no file of edges")
    refused(FileNotFoundError, str(tmp_path / "x*.el"), "no file of edges")
    refused(FileNotFoundError, tmp_path / "no.el", "no.el")
    refused(ReadError, path("c.el", "d.el"), "expected n=9, as of .*c.el; found n=8")
    refused(ReadError, path("g.txt", "h.txt"), "expected weighted=True")
    refused(ReadError, path("e.el"), "almost no vertex")
    refused(ReadError, path("a.el"), "each edge once; of 3 edges 1 repeat", dup=None)
    refused(InvalidValue, path("f.wel"), "sum to more than int8", dup="sum", dtype="int8")
    refused(InvalidValue, path("a.el"), "base=2", base=2)
    refused(InvalidGraph, path("a.el"), "dup must be", dup="any")
    refused(InvalidGraph, path("a.el"), "kind must be", kind="mixed")
    refused(UnknownArgument, path("a.el"), "nodes", nodes=3)
    refused(ReadError, path("a.el"), "out of range", n=1)


def test_block_that_does_not_fit(tmp_path, monkeypatch):
    gl.write(tmp_path / "graph.el", random_graph(50, 300))
    monkeypatch.setattr("graphla.ranks.files.construction.available", lambda: 100)
    refused(MemoryError, tmp_path / "graph.el", "a block of")
