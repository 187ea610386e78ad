"""Tables with a header: columns by name in any order, quotes, an index, other columns."""

from __future__ import annotations

import csv
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import InvalidValue, ReadError
from graphla.io.csv_columns import (
    DST,
    SPACES,
    SRC,
    UNREAD,
    WEIGHT,
    choose_columns,
    split_fields,
)
from tests.io.formats import edges_of, read_text, refuses

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]), max_size=4)


@pytest.mark.parametrize(
    ("header", "names", "roles"),
    [
        ("src,dst", {}, [SRC, DST]),
        ("a,b,c", {}, [SRC, DST, WEIGHT]),
        ("weight,dst,src", {}, [WEIGHT, DST, SRC]),
        (",src,dst,weight", {}, [UNREAD, SRC, DST, WEIGHT]),
        ("Unnamed: 0,a,b", {}, [UNREAD, SRC, DST]),
        ("Id,Target,Source,Type,Weight", {}, [UNREAD, DST, SRC, UNREAD, WEIGHT]),
        ("from,to,cost", {}, [SRC, DST, WEIGHT]),
        ("x,a,b,c", {"src": "b", "dst": "x"}, [DST, UNREAD, SRC, UNREAD]),
        ("x,a,b,weight", {"src": "b", "dst": "x"}, [DST, UNREAD, SRC, WEIGHT]),
        ("src,dst,a,b", {"weight": "b"}, [SRC, DST, UNREAD, WEIGHT]),
        ("src,dst,weight,b", {"weight": "b"}, [SRC, DST, UNREAD, WEIGHT]),
        ("a,w,b", {"weight": "w"}, [SRC, WEIGHT, DST]),
        ("to,src", {"src": "to", "dst": "src"}, [SRC, DST]),
        ("node,source", {}, [DST, SRC]),
        ("to,id", {}, [DST, SRC]),
        ("source,weight,node", {}, [SRC, WEIGHT, DST]),
        ("node,weight,source", {}, [DST, WEIGHT, SRC]),
        ("from,node,minutes", {}, [SRC, DST, WEIGHT]),
        ("node,minutes,from", {"weight": "minutes"}, [DST, WEIGHT, SRC]),
        ("a,b,source", {"weight": "source"}, [SRC, DST, WEIGHT]),
        ("target,x,to", {"src": "target"}, [SRC, UNREAD, DST]),
        ("a,b,__index_level_0__", {}, [SRC, DST, UNREAD]),
    ],
)
def test_roles_of_columns(header, names, roles):
    arguments = dict.fromkeys(("src", "dst", "weight")) | names
    assert choose_columns(split_fields(header, ","), **arguments) == roles


@given(st.lists(TEXTS.map(str.strip), min_size=1), st.sampled_from([",", "\t"]))
def test_fields_are_those_of_the_csv_module(fields, separator):
    line = io.StringIO()
    csv.writer(line, delimiter=separator, quoting=csv.QUOTE_ALL, lineterminator="").writerow(fields)
    assert split_fields(line.getvalue(), separator) == fields
    assert split_fields(separator.join(["x", *"ab"]), separator) == ["x", "a", "b"]


def test_fields_between_blanks_and_tabs():
    assert split_fields('  a \t"b c"\td "" \r', SPACES) == ["a", "b c", "d", ""]


@pytest.mark.parametrize("text", ['\r"+', '"', 'a"b,c\n', '"a,b\n0,1\n', 'src,dst\n"', ",\n,\n"])
def test_broken_headers_are_refused(text, tmp_path):
    with pytest.raises(ReadError):
        read_text(tmp_path / "x.csv", text)


@pytest.mark.parametrize(
    ("header", "names", "match"),
    [
        ("a,b", {"src": "x", "dst": "b"}, r"a column 'x'; found \['a', 'b'\]"),
        ("a,a,b", {"src": "a", "dst": "b"}, "one column 'a'; found"),
        ("a,b,c", {"src": "a"}, "src= and dst= that name two of the columns"),
        ("a,b,c,d", {}, "src= and dst= that name two of the columns"),
        ("a", {}, "src= and dst= that name two of the columns"),
        ("src,dst,cost,time", {}, "weight= that names one of"),
        ("a,b,c", {"src": "a", "dst": "b", "weight": "a"}, "different columns"),
        ("a,b", {"src": "a", "dst": "a"}, "different columns"),
        ("a,weight", {}, "src= and dst= that name two of the columns"),
        ("node,source,cost", {}, "src= and dst= that name two of the columns"),
        ("src,from,to", {}, "src= and dst= that name two of the columns"),
        ("source,from", {}, "src= and dst= that name two of the columns"),
        ("a,weight,weight", {}, "src= and dst= that name two of the columns"),
    ],
)
def test_headers_without_a_choice(header, names, match, tmp_path):
    text = f"{header}\n{','.join('01234'[: header.count(',') + 1])}\n"
    refuses(tmp_path / "x.csv", text, 1, f"expected .*{match}", **names)


FRAMES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.floats(-9, 9)), min_size=1)


@given(st.data(), FRAMES, st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]))
def test_order_quotes_and_other_columns_do_not_matter(tmp_path_factory, data, rows, quoting):
    columns = dict(zip(("src", "dst", "weight"), zip(*rows, strict=True), strict=True))
    texts = data.draw(st.lists(TEXTS, min_size=len(rows), max_size=len(rows)))
    order = data.draw(st.permutations(["src", "dst", "weight", "note"]))
    frame = pd.DataFrame(columns | {"note": texts})[list(order)]
    suffix, separator = data.draw(st.sampled_from([(".csv", ","), (".tsv", "\t")]))
    path = tmp_path_factory.getbasetemp() / f"table{suffix}"
    has_index = data.draw(st.booleans())
    frame.to_csv(path, sep=separator, quoting=quoting, index=has_index)
    G = gl.read(path)
    expected = gl.Graph.from_edges(frame["src"], frame["dst"], frame["weight"])
    assert G.A.isequal(expected.A, check_dtype=True)
    assert G.nmerged == expected.nmerged
    names = {"src": "dst", "dst": "src"}
    assert gl.read(path, **names).A.isequal(expected.A.T.new())


def test_a_column_keeps_the_role_that_its_name_says(tmp_path):
    for text in ("node,source\n0,1\n", "to,id\n0,1\n", "weight,source,node\n1,1,0\n"):
        assert [edge[:2] for edge in edges_of(read_text(tmp_path / "x.csv", text))] == [(1, 0)]


def test_a_comment_mark_in_a_column_without_vertices_is_data(tmp_path):
    text, names = "color,src,dst\n#f00,0,1\n%x,1,2\n\n 7,2,0\n", {"src": "src", "dst": "dst"}
    for name, separator in (("x.csv", ","), ("x.tsv", "\t"), ("y.tsv", " ")):
        separated = text.replace(",", separator)
        G = read_text(tmp_path / name, separated, **names)
        assert edges_of(G) == [(0, 1, True), (1, 2, True), (2, 0, True)]
        refuses(tmp_path / name, separated, 2, "not a number .character 1")  # as a weight
    text = "# head\ndst,color,src\n#1,x,2\n0,#f00,1\n"
    assert edges_of(read_text(tmp_path / "x.csv", text, **names)) == [(1, 0, True)]


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ('0 1\n# "x"\n1 2\n', [(0, 1, True), (1, 2, True)]),
        ('0\t1\n# "x"\n1 2\n', [(0, 1, True), (1, 2, True)]),
        ('"0"  "1"\n 1 \t"2" \r\n', [(0, 1, True), (1, 2, True)]),
        ("dst src\n1 0\n2  1\r\n", [(0, 1, True), (1, 2, True)]),
        ('note weight  dst src\n"a b" 5 1 0\nb\t6 \t2 1 \n', [(0, 1, 5), (1, 2, 6)]),
        ("dst\tsrc\tnote\n1\t0\ta b\n2\t 1 \t\n", [(0, 1, True), (1, 2, True)]),
    ],
)
def test_columns_of_a_tsv_are_separated_as_in_its_first_line(text, edges, tmp_path):
    names = {"src": "src", "dst": "dst"} if "note\n" in text else {}
    assert edges_of(read_text(tmp_path / "x.tsv", text, **names)) == edges


@pytest.mark.parametrize(
    ("text", "line", "match"),
    [
        ("dst src\n1\n", 2, "too few fields"),
        ("dst src\n1 2 3\n", 2, "too many fields"),
        ("dst src\n1 2x\n", 2, "not a number .character 3.: '1 2x'; if vertices have labels"),
        ("dst src weight\n1 2 nan\n", 2, "NaN weight .character 5"),
        ('a dst src\n"x 1 2\n', 2, "quoted field does not end"),
        ("a dst src\nx \r\n", 2, "too few fields"),
    ],
)
def test_refused_lines_between_blanks(text, line, match, tmp_path):
    names = {"src": "src", "dst": "dst"} if text[0] == "a" else {}
    refuses(tmp_path / "x.tsv", text, line, match, **names)


def test_names_that_are_not_ascii_and_a_byte_order_mark(tmp_path):
    text = "\ufeffañejo,zu,größe\n3,1,2.5\n"
    G = read_text(tmp_path / "x.csv", text, src="zu", dst="añejo", weight="größe")
    assert edges_of(G) == [(1, 3, 2.5)]
    assert edges_of(read_text(tmp_path / "y.csv", "\ufeff3,1\n")) == [(3, 1, True)]


def test_numbers_in_quotes(tmp_path):
    path = tmp_path / "x.csv"
    assert edges_of(read_text(path, '"0","1","0.30000000000000004"\n')) == [(0, 1, 0.1 + 0.2)]
    assert read_text(path, '0,1,5\n" 1 " ,"2",7\r\n').dtype == "INT64"
    assert read_text(path, f'"a","b","c"\n0,1,"{2**63}"\n').dtype == "UINT64"
    names = {"src": "src", "dst": "dst"}
    assert read_text(path, 'note,src,dst\n"a ""b"", c",4,5\n"",5,6\n', **names).nedges == 2
    assert read_text(path, 'src,dst,note\n# no edge\n\n1,2,"x"\n', base=1, **names).n == 2


@pytest.mark.parametrize(
    ("text", "line", "match"),
    [
        (
            "dst,src\n1,2\nalice,3\n",
            3,
            r"not a number .character 1.: 'alice,3'; if vertices have labels",
        ),
        (
            'name,src,dst,w,weight\n"b, ""c""",1,"Bob",0,0\n',
            2,
            r"not a number .character 14.: .*labels",
        ),
        ("weight,src,dst\n1,0,1\n,1,2\n", 3, "NaN weight .character 1"),
        ('weight,src,dst\n"nan",1,2\n', 2, "NaN weight .character 1"),
        ("src,name,dst,weight\n1,Zoé,2,nan\n", 2, "NaN weight .character 9"),
        ('src,dst,weight\n"1",2,NA\n', 2, "NaN weight .character 7"),
        ("dst,src\n1,2\n,3\n", 3, "not a number .character 1.: ',3'"),
        ("dst,src\n1\n", 2, "too few fields"),
        ("dst,src\n1,2,3\n", 2, "too many fields"),
        ("dst,src\n1,-2\n", 2, "out of range"),
        ("dst,src\n1,2.0\n", 2, "not an integer"),
        ('dst,src\n"1,2\n', 2, "not a number"),
        ('a,dst,src,weight\nx,1,2,3\n"open,2,3,4\n', 3, "quoted field does not end in its line"),
        (
            "src,dst,note\n1,2,x\n",
            2,
            "not a number .character 5.: '1,2,x'; src=, dst= and weight= name",
        ),
        ("weight,src,dst\n1e999,0,1\n", 2, "too large for FP64"),
        ("weight,src,dst\n2,0,1\n3,0,1\n", 3, "0 -> 1 .* occurs again: of 2 edges 1 repeat"),
        ("dst,src\n3,1000000007\n", 2, "found 1,000,000,007: .* labels"),
    ],
)
def test_refused_lines(text, line, match, tmp_path):
    refuses(tmp_path / "x.csv", text, line, match, dup=None)


def test_names_need_a_table_with_a_header(tmp_path):
    with pytest.raises(InvalidValue, match=r"name columns of \.csv and \.tsv, not of \.el"):
        read_text(tmp_path / "x.el", "0 1\n", src="a", dst="b")
    refuses(tmp_path / "x.csv", "0,1\n", 1, "a column 'a'; found", src="a", dst="b")
    refuses(tmp_path / "x.csv", "", 1, "column names; the file ends", src="a", dst="b")
    refuses(tmp_path / "x.csv", "a,b\n0,1\n", 1, "weights of dtype float64", dtype="float64")
    G = read_text(tmp_path / "x.tsv", "2020\t2021\n0\t1\n", src="2021", dst="2020")
    assert edges_of(G) == [(1, 0, True)]


def test_both_scans_read_the_same_numbers(tmp_path):
    rng = np.random.default_rng(7)
    bits = rng.integers(0, 2**64, 3000, dtype=np.uint64).view(np.float64)
    weight = bits[np.isfinite(bits)].tolist()
    rows = [f"{k},{k},{w!r}" for k, w in enumerate(weight)]
    plain = read_text(tmp_path / "x.csv", "\n".join(["src,dst,weight", *rows]))
    quoted = read_text(tmp_path / "y.csv", "\n".join(["src,dst,weight", *rows, '"0",1,"1"']))
    assert plain.A.to_coo()[2].tolist() == weight
    assert quoted.A.nvals == plain.A.nvals + 1
    assert [w for i, j, w in edges_of(quoted) if i == j] == weight


def test_decimals_that_need_exact_rounding_between_semicolons(tmp_path):
    path = tmp_path / "x.csv"
    weights = ["5e-324", "9007199254740993.0", "1e-310"]
    lines = [f"{k};{k + 1};{w};x" for k, w in enumerate(weights)]
    path.write_text("\n".join(["src;dst;weight;note", *lines]))
    assert gl.read(path).A.to_coo()[2].tolist() == [float(w) for w in weights]
