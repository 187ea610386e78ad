"""Matrix Market: qualifiers against SciPy's reader, and errors that SciPy does not detect."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.io
import scipy.sparse as ss
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from tests.graphs import DTYPES, random_graph, to_scipy
from tests.io.formats import edges_of, graphs_for, read_text, refuses
from tests.strategies import examples

BANNER = "%%MatrixMarket matrix"


def banner(rest):
    return f"{BANNER} {rest}\n"


REAL = banner("coordinate real general")
SYMMETRIES = ["general", "symmetric", "skew-symmetric", "hermitian"]


@st.composite
def files(draw):
    """Draw a coordinate or array file whose content fits its banner."""
    symmetry = draw(st.sampled_from(SYMMETRIES))
    layout = draw(st.sampled_from(["coordinate", "array"]))
    fields = ["real", "integer"]
    if layout == "coordinate" and symmetry in SYMMETRIES[:2]:
        fields.append("pattern")
    field = draw(st.sampled_from(fields))
    n = draw(st.integers(layout == "array", 6))  # SciPy divides by 0 in a 0 x 0 array
    value = {
        "real": st.floats(-9, 9, allow_nan=False).map(repr),
        "integer": st.integers(-9, 9).map(str),
        "pattern": st.just(""),
    }[field]
    lowest = {"general": -n, "skew-symmetric": 1}.get(symmetry, 0)
    cells = [(i, j) for j in range(n) for i in range(n) if i - j >= lowest]
    if layout == "array":
        lines = [draw(value) for _ in cells]
        head = f"{n} {n}"
    else:
        chosen = [cell for cell in cells if draw(st.booleans())]
        lines = [f"{i + 1} {j + 1} {draw(value)}" for i, j in draw(st.permutations(chosen))]
        head = f"{n} {n} {len(chosen)}"
    return "\n".join([f"{BANNER} {layout} {field} {symmetry}", "% comment", head, *lines, ""])


@examples(200)
@given(files())
def test_reads_what_scipy_reads(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "drawn.mtx"
    G = read_text(path, text)
    S = scipy.io.mmread(path, spmatrix=False)
    if not ss.issparse(S):
        S = ss.coo_array(S)
    field, symmetry = text.split()[3:5]
    assert G.dtype == {"real": "FP64", "integer": "INT64", "pattern": "BOOL"}[field]
    assert G.kind == ("undirected" if symmetry in ("symmetric", "hermitian") else "directed")
    found = {(i, j): w for i, j, w in edges_of(G)}
    assert found == dict(zip(zip(*S.coords, strict=True), S.data.tolist(), strict=True))


@examples(60)
@given(G=graphs_for(".mtx"))
def test_scipy_reads_what_is_written(tmp_path_factory, G):
    path = tmp_path_factory.getbasetemp() / "written.mtx"
    gl.write(path, G)
    S = scipy.io.mmread(path, spmatrix=False).tocoo()
    found = dict(zip(zip(*S.coords, strict=True), S.data.tolist(), strict=True))
    assert found == {(i, j): w for i, j, w in edges_of(G)}
    assert S.shape == (G.n, G.n)


@pytest.mark.parametrize("dtype", DTYPES)
def test_reads_what_scipy_writes(dtype, tmp_path):
    S = to_scipy(random_graph(40, 120, dtype=dtype), dtype)
    if dtype == "bool":
        S = S.astype(np.int8)
    scipy.io.mmwrite(tmp_path / "s.mtx", S)
    G = gl.read(tmp_path / "s.mtx")
    assert (to_scipy(G) != S).nnz == 0


def test_an_integer_banner_in_capitals_and_blank_lines(tmp_path):
    text = (
        "%%MatrixMarket MATRIX Coordinate INTEGER General\n%c\n\n 3 3 2 \n\n1 2 7\n% c\n\t2 3\t-8\n"
    )
    for content in (text, text.replace("\n", "\r\n"), text.rstrip("\n")):
        G = read_text(tmp_path / "x.mtx", content)
        assert edges_of(G) == [(0, 1, 7), (1, 2, -8)]


def test_a_symmetric_file_as_a_directed_graph(tmp_path):
    text = banner("coordinate integer symmetric") + "3 3 2\n2 1 5\n3 3 6\n"
    G = read_text(tmp_path / "x.mtx", text, kind="directed")
    assert G.kind == "directed"
    assert edges_of(G) == [(0, 1, 5), (1, 0, 5), (2, 2, 6)]


def test_merged_edges_are_counted_in_edges_of_the_graph(tmp_path):
    lines = "3 3 5\n2 1 5\n2 1 5\n3 3 6\n3 3 6\n3 3 6\n"
    text = banner("coordinate integer symmetric") + lines
    assert read_text(tmp_path / "x.mtx", text).nmerged == 3
    G = read_text(tmp_path / "x.mtx", text, kind="directed")
    assert (G.nedges, G.nmerged) == (3, 4)


def test_a_general_file_as_an_undirected_graph(tmp_path):
    path = tmp_path / "x.mtx"
    both = REAL + "2 2 2\n1 2 1.5\n2 1 1.5\n"
    assert read_text(path, both, kind="undirected").nedges == 1
    refuses(path, REAL + "2 2 1\n1 2 1.5\n", 3, "0 -> 1 .* no such reverse", kind="undirected")
    other = both.replace("2 1 1.5", "2 1 2.5")
    refuses(path, other, 3, "with one weight", kind="undirected")


def test_a_stored_zero_is_an_edge_but_not_in_an_array(tmp_path):
    assert read_text(tmp_path / "x.mtx", REAL + "2 2 1\n1 2 0\n").nedges == 1
    dense = banner("array real general") + "2 2\n0\n3\n0\n0\n"
    assert edges_of(read_text(tmp_path / "x.mtx", dense)) == [(1, 0, 3.0)]


def test_infinite_weights_are_kept(tmp_path):
    G = read_text(tmp_path / "x.mtx", REAL + "2 2 2\n1 2 inf\n2 1 -Infinity\n")
    assert edges_of(G) == [(0, 1, np.inf), (1, 0, -np.inf)]


@pytest.mark.parametrize(("dup", "weight"), [("min", 1), ("max", 5), ("sum", 6), ("last", 1)])
def test_duplicates_need_a_rule(dup, weight, tmp_path):
    text = banner("coordinate integer symmetric") + "3 3 3\n2 1 5\n3 2 9\n1 2 1\n"
    refuses(tmp_path / "x.mtx", text, 5, "0 -- 1 .* occurs again: of 3 edges 1 repeat", dup=None)
    G = read_text(tmp_path / "x.mtx", text, dup=dup)
    assert edges_of(G)[0] == (0, 1, weight)
    pattern = banner("coordinate pattern general") + "3 3 3\n1 2\n2 3\n1 2\n"
    refuses(tmp_path / "x.mtx", pattern, 5, "0 -> 1 .* occurs again", dup=None)
    assert read_text(tmp_path / "x.mtx", pattern, dup=dup).nedges == 2


def test_dtype_argument(tmp_path):
    path = tmp_path / "x.mtx"
    text = banner("coordinate integer general") + "2 2 2\n1 2 1\n2 1 127\n"
    assert read_text(path, text, dtype="int8").dtype == "INT8"
    assert read_text(path, text, dtype="FP32").dtype == "FP32"
    refuses(path, text.replace("127", "128"), 4, "dtype int8", dtype="int8")
    refuses(path, text, 4, "dtype bool", dtype=bool)
    assert read_text(path, text.replace("127", "1"), dtype=bool).dtype == "BOOL"
    refuses(path, text.replace("127", str(2**24 + 1)), 4, "dtype float32", dtype="float32")
    real = REAL + "2 2 2\n1 2 1.0\n2 1 2.5\n"
    refuses(path, real, 4, "dtype int32", dtype="int32")
    assert edges_of(read_text(path, real.replace("2.5", "-2.0"), dtype="int32"))[1] == (1, 0, -2)
    refuses(path, real.replace("2.5", "1e39"), 4, "dtype float32", dtype="float32")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        refuses(path, real.replace("2.5", "inf"), 4, "dtype int64", dtype="int64")
    pattern = banner("coordinate pattern general") + "2 2 1\n1 2\n"
    refuses(path, pattern, 1, "a pattern matrix has none", dtype="int64")
    assert read_text(path, pattern, dtype=bool).nedges == 1
    typed = pattern.replace("\n", "\n%%GraphBLAS type int8_t\n", 1)
    for options in ({}, {"dtype": "int8"}):
        G = read_text(path, typed, **options)
        assert (G.dtype, edges_of(G)) == ("INT8", [(0, 1, 1)])
    assert read_text(path, typed, dtype="FP32").dtype == "FP32"
    assert not read_text(path, typed, dtype=bool).weighted


SKEW = banner("coordinate integer skew-symmetric")
BAD = {
    "empty": ("", 1, "the file ends"),
    "no banner": ("3 3 1\n1 1 1\n", 1, "expected '%%MatrixMarket"),
    "small letters": (REAL.lower() + "1 1 0\n", 1, "expected '%%MatrixMarket"),
    "short banner": (f"{BANNER} coordinate real\n1 1 0\n", 1, "expected '%%MatrixMarket"),
    "vector": ("%%MatrixMarket vector coordinate real general\n", 1, "expected '%%MatrixMarket"),
    "layout": (banner("diagonal real general"), 1, "one of .*coordinate.* found 'diagonal'"),
    "complex": (
        banner("coordinate complex general"),
        1,
        "expected a real matrix; this one is complex",
    ),
    "symmetry": (banner("coordinate real circular"), 1, "found 'circular'"),
    "pattern array": (banner("array pattern general"), 1, "values in a matrix .array"),
    "pattern skew": (banner("coordinate pattern skew-symmetric"), 1, "skew-symmetric"),
    "no sizes": (REAL + "% c\n", 3, "line with the numbers of .* the file ends"),
    "two sizes": (REAL + "3 3\n", 2, "found 2 words"),
    "four sizes": (REAL + "3 3 1 1\n", 2, "found 4 words"),
    "negative": (REAL + "3 3 -1\n", 2, "number of entries, in 0.* found '-1'"),
    "fraction": (REAL + "3.0 3 1\n", 2, "number of rows.* found '3.0'"),
    "overflow": (REAL + "9999999999999999999999 3 1\n", 2, "number of rows"),
    "digits": (REAL + "9" * 5000 + " 3 1\n", 2, "number of rows"),
    "rectangular": (REAL + "3 4 0\n", 2, "square matrix; this one is rectangular, 3 x 4"),
    "too short": (REAL + "3 3 2\n1 2 1\n", 4, "2 times .*; the file ends after 1"),
    "too long": (
        REAL + "3 3 1\n1 2 1\n2 1 1\n",
        4,
        "the header announces .character 1.: '2 1 1'",
    ),
    "few": (REAL + "3 3 1\n1 2\n", 3, "too few fields .character 4.: '1 2'"),
    "many": (REAL + "3 3 1\n1 2 3 4\n", 3, "too many fields"),
    "valued pattern": (
        banner("coordinate pattern general") + "3 3 1\n1 2 3\n",
        3,
        "too many fields",
    ),
    "row 0": (REAL + "3 3 1\n0 2 3\n", 3, "out of range"),
    "row n+1": (REAL + "3 3 1\n1 4 3\n", 3, "out of range"),
    "row -1": (REAL + "3 3 1\n-1 2 3\n", 3, "out of range"),
    "row 1.0": (REAL + "3 3 1\n1.0 2 3\n", 3, "not an integer"),
    "wide row": (REAL + "3 3 1\n18446744073709551617 2 3\n", 3, "too large"),
    "word": (REAL + "3 3 1\n1 2 x\n", 3, "not a number .character 5.: '1 2 x'"),
    "tail": (REAL + "3 3 1\n1 2 3abc\n", 3, "not a number"),
    "hex": (REAL + "3 3 1\n1 2 0x10\n", 3, "not a number"),
    "nan": (REAL + "3 3 1\n1 2 nan\n", 3, "NaN weight .character 5."),
    "-NaN": (banner("array real general") + "1 1\n-NaN\n", 3, "NaN weight"),
    "nan row": (REAL + "3 3 1\n1 nan 2\n", 3, "not a number .character 3."),
    "1e999": (REAL + "3 3 2\n1 2 3\n2 1 -1e999\n", 4, "too large for FP64: '2 1 -1e999'"),
    "3.5": (banner("coordinate integer general") + "3 3 1\n1 2 3.5\n", 3, "not an integer"),
    "2^63": (banner("coordinate integer general") + f"3 3 1\n1 2 {2**63}\n", 3, "too large"),
    "unsigned": (
        banner("coordinate unsigned-integer general") + "3 3 1\n1 2 -1\n",
        3,
        "is negative",
    ),
    "skew diagonal": (SKEW + "3 3 2\n2 1 1\n2 2 1\n", 4, "no entry on the diagonal"),
    "skew twice": (SKEW + "3 3 2\n2 1 1\n1 2 -1\n", 3, "occurs again"),
    "skew minimum": (SKEW + f"3 3 1\n2 1 {-(2**63)}\n", 3, "whose negative has the same dtype"),
    "short array": (banner("array real general") + "2 2\n1\n2\n", 5, "4 times one value"),
    "wide array": (banner("array real general") + "2 2\n1 2\n3\n4\n", 3, "too many fields"),
    "metadata": (REAL + "% graphla: dtype=int9\n3 3 0\n", 2, "found dtype=int9"),
    "unknown metadata": (REAL + "% graphla: color=red\n3 3 0\n", 2, "found color=red"),
    "wide metadata": (REAL + f"% graphla: n={2**61}\n3 3 0\n", 2, "found n="),
    "metadata bool": (REAL + "% graphla: dtype=bool\n3 3 1\n1 2 0.5\n", 4, "dtype bool"),
}


@pytest.mark.parametrize("name", BAD)
def test_refused(name, tmp_path):
    text, line, match = BAD[name]
    refuses(tmp_path / "x.mtx", text, line, match, dup=None)


@pytest.mark.parametrize(
    ("name", "dtype"),
    [("type int8_t", "INT8"), ("type uint64_t", "UINT64"), ("type float", "FP32"), ("FP32", None),
     ("GrB_FP64", "FP64"), ("type  bool", "BOOL"), ("type double complex", None), ("type", None)],
)  # fmt: skip
def test_the_type_that_graphblas_programs_write(name, dtype, tmp_path):
    for field, value in (("real", " 1"), ("integer", " 1"), ("pattern", "")):
        text = banner(f"coordinate {field} general") + f"%%GraphBLAS {name}\n2 2 1\n1 2{value}\n"
        if dtype is None:
            match = "this one is complex" if "complex" in name else "GraphBLAS type bool.int8_t"
            refuses(tmp_path / "x.mtx", text, 2, match)
            continue
        G = read_text(tmp_path / "x.mtx", text)
        assert (G.dtype, edges_of(G)) == (dtype, [(0, 1, 1)])
    if dtype is not None:
        assert read_text(tmp_path / "x.mtx", text, dtype=bool).dtype == "BOOL"


def test_values_that_do_not_fit_the_type(tmp_path):
    head = banner("coordinate integer general") + "%%GraphBLAS type {}\n2 2 1\n1 2 "
    assert edges_of(read_text(tmp_path / "x.mtx", head.format("uint64_t") + str(2**64 - 1))) == [
        (0, 1, 2**64 - 1)
    ]
    refuses(tmp_path / "x.mtx", head.format("uint64_t") + "-1", 4, "is negative")
    refuses(tmp_path / "x.mtx", head.format("int8_t") + "128", 4, "dtype int8")
    refuses(tmp_path / "x.mtx", head.format("bool") + "7", 4, "dtype bool")


def test_duplicates_are_merged_and_counted(tmp_path):
    path = tmp_path / "x.mtx"
    G = read_text(path, REAL + "2 2 4\n1 2 3\n2 1 3\n1 2 5\n2 1 4\n")
    assert (edges_of(G), G.nmerged) == ([(0, 1, 3.0), (1, 0, 3.0)], 2)
    G = read_text(path, REAL + "2 2 4\n1 2 3\n2 1 3\n1 2 5\n2 1 4\n", kind="undirected")
    assert (G.nedges, G.nmerged) == (1, 1)


def test_skew_symmetric_is_never_undirected(tmp_path):
    refuses(tmp_path / "x.mtx", SKEW + "2 2 1\n2 1 5\n", 1, "found skew", kind="undirected")
    array = banner("array integer skew-symmetric") + "2 2\n-128\n"
    refuses(tmp_path / "x.mtx", array, 3, "dtype int8", dtype="int8")


def test_an_error_shows_the_start_of_a_long_line_as_ascii(tmp_path):
    refuses(tmp_path / "x.mtx", REAL.encode() + b"3 3 1\n1 2 \xff" + b"y" * 500, 3, r"\\xffy+'$")
