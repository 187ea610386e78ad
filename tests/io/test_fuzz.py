"""Broken files give a Graph or a ReadError, and no large allocation."""

from __future__ import annotations

import tracemalloc
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import ReadError
from tests.graphs import edges, random_graph
from tests.io.formats import HOLDS
from tests.strategies import examples

SPICE = [
    *(b"\n", b"\n\n", b" ", b"\t", b"\r", b",", b"-", b"+", b".", b"e", b"0", b"9", b"\x00"),
    *(b"\xff", b"%", b"#", b"c ", b"a ", b"p sp 3 3\n", b"nan", b"inf", b"1e999", b"1.5"),
    *(b"999999999999", b"18446744073709551616", b"# graphla: n=3\n", b"% graphla: dtype=int8\n"),
    *(b"symmetric", b"skew-symmetric", b"array", b"pattern", b"unsigned-integer", b"complex"),
]


@st.composite
def mutations(draw, text):
    """Replace, delete, insert, repeat or cut off bytes, up to four times."""
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        end = min(len(text), at + draw(st.integers(0, 6)))
        what = draw(st.sampled_from(["replace", "delete", "insert", "repeat", "cut"]))
        spice = draw(st.sampled_from(SPICE) | st.binary(min_size=1, max_size=4))
        middle = {
            "replace": spice + text[at + len(spice) :],
            "delete": text[end:],
            "insert": spice + text[at:],
            "repeat": text[at:end] + text[at:],
            "cut": b"",
        }[what]
        text = text[:at] + middle
    return text


def seeds(suffix, folder):
    """Return valid files of a format."""
    dtypes, kinds = HOLDS[suffix]
    found = []
    for kind in kinds:
        for dtype in {dtypes[0], "int8", "int64", "float32", "float64"} & set(dtypes):
            path = folder / f"seed{suffix}"
            G = random_graph(6, 9, kind=kind, dtype=None if dtype == "bool" else dtype)
            gl.write(path, G)
            found.append(path.read_bytes())
    return found


def accept(path, **options):
    """Read a file: the outcome must be a valid Graph or a ReadError that names the file."""
    try:
        G = gl.read(path, **options)
    except ReadError as error:
        refused = error
    else:
        refused = None
    if refused:
        assert str(path) in str(refused)
        return
    rows, cols, values = G.A.to_coo()
    assert rows.size == cols.size == values.size == G.A.nvals
    assert not rows.size or max(rows.max(), cols.max()) < G.n
    if G.kind == "undirected":
        assert G.A.isequal(G.A.T.new())
    assert not G.has_nan


@pytest.mark.thorough
@pytest.mark.parametrize("suffix", HOLDS)
def test_mutated_files(suffix, tmp_path_factory):
    folder = tmp_path_factory.mktemp("fuzz")
    start = seeds(suffix, folder)
    path = folder / f"mutated{suffix}"

    @settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(start).flatmap(mutations), st.sampled_from([None, "min", "last"]))
    def run(text, dup):
        path.write_bytes(text)
        accept(path, dup=dup)
        accept(path, dup=dup, kind="undirected")
        accept(path, dup=dup, kind="directed")

    run()


@pytest.mark.thorough
@pytest.mark.parametrize("suffix", HOLDS)
@examples(100)
@given(text=st.binary(max_size=60))
@example(text=b"")
@example(text=b"\n")
@example(text=b"PK\x05\x06" + b"\0" * 18)
@example(text=b"%%MatrixMarket")
@example(text=b"%%MatrixMarket matrix coordinate pattern general\n2 2")
def test_any_bytes(suffix, text, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / f"bytes{suffix}"
    path.write_bytes(text)
    accept(path)


HUGE = 10**12
BANNER = "%%MatrixMarket matrix"
CLAIMS = {
    "entries.mtx": f"{BANNER} coordinate real general\n3 3 {HUGE}\n1 2 1\n",
    "size.mtx": f"{BANNER} array real general\n{HUGE} {HUGE}\n1\n",
    "half.mtx": f"{BANNER} array real symmetric\n{HUGE} {HUGE}\n1\n",
    "arcs.gr": f"p sp 3 {HUGE}\na 1 2 3\n",
    "rows.graph": f"{HUGE} 1\n2\n1\n",
    "ends.graph": f"2 {HUGE}\n2\n1\n",
}


@pytest.mark.parametrize("name", CLAIMS)
def test_sizes_beyond_the_file_are_refused_before_allocation(name, tmp_path):
    path = tmp_path / name
    path.write_text(CLAIMS[name])
    with pytest.raises(ReadError):
        gl.read(path)  # imports and compiles before the measurement
    tracemalloc.start()
    try:
        with pytest.raises(ReadError):
            gl.read(path)
        assert tracemalloc.get_traced_memory()[1] < 10e6
    finally:
        tracemalloc.stop()


def test_archive_sizes_beyond_the_file_are_refused_before_allocation(tmp_path):
    path = tmp_path / "x.npz"
    gl.write(path, edges([0], [1], [2], n=2))
    gl.read(path)
    with np.load(path) as archive:
        arrays = dict(archive)
    header = b"\x93NUMPY\x01\x00v\x00" + (
        f"{{'descr': '<i8', 'fortran_order': False, 'shape': ({HUGE},), }}".ljust(117).encode()
        + b"\n"
    )
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w") as member:
                if name == "data":
                    member.write(header + b"\0" * 8)
                else:
                    np.lib.format.write_array(member, array)
    tracemalloc.start()
    try:
        with pytest.raises(ReadError, match="another size"):
            gl.read(path)
        assert tracemalloc.get_traced_memory()[1] < 10e6
    finally:
        tracemalloc.stop()
