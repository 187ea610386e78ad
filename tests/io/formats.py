"""Strategies and checks that the tests of all formats use."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import ReadError
from tests.graphs import DTYPES

INTEGERS = tuple(name for name in DTYPES if name.startswith(("int", "uint")))
# suffix -> supported dtypes, supported kinds
HOLDS = {
    ".mtx": (DTYPES, ("directed", "undirected")),
    ".gr": (("bool", *INTEGERS), ("directed", "undirected")),
    ".graph": (("bool", *INTEGERS), ("undirected",)),
    ".el": (("bool",), ("directed", "undirected")),
    ".wel": (DTYPES, ("directed", "undirected")),
    ".tsv": (DTYPES, ("directed", "undirected")),
    ".txt": (DTYPES, ("directed", "undirected")),
    ".csv": (DTYPES, ("directed", "undirected")),
    ".npz": (DTYPES, ("directed", "undirected")),
    ".parquet": (DTYPES, ("directed", "undirected")),
}
TEXT = tuple(suffix for suffix in HOLDS if suffix not in (".npz", ".parquet"))


def weights(dtype, *, positive=False):
    """Draw a weight from the whole range of a dtype, including its extremes and infinities."""
    if np.dtype(dtype).kind == "f":
        return st.floats(width=np.dtype(dtype).itemsize * 8, allow_nan=False)
    info = np.iinfo(dtype)
    low = 1 if positive else int(info.min)
    return st.integers(low, int(info.max)) | st.sampled_from([low, int(info.max)])


@st.composite
def graphs_for(draw, suffix):
    """Draw a graph that the format supports, of any dtype, with isolated vertices anywhere."""
    dtypes, kinds = HOLDS[suffix]
    dtype, kind = draw(st.sampled_from(dtypes)), draw(st.sampled_from(kinds))
    n = draw(st.integers(0, 9))
    end = st.integers(0, max(n - 1, 0))
    pairs = draw(st.lists(st.tuples(end, end), max_size=25 if n else 0))
    src, dst = np.array(pairs, np.int64).reshape(-1, 2).T
    weight = None
    if dtype != "bool":
        one = weights(dtype, positive=suffix == ".graph")
        drawn = draw(st.lists(one, min_size=len(pairs), max_size=len(pairs)))
        weight = np.array(drawn, dtype)
    return gl.Graph.from_edges(src, dst, weight, n=n, kind=kind, dup="first")


def same(G, H):
    return G.kind == H.kind and G.A.isequal(H.A, check_dtype=True)


def read_text(path, text, **options):
    """Read a file of this content."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return gl.read(path, **options)


def edges_of(G):
    rows, cols, values = G.A.to_coo()
    return list(zip(rows.tolist(), cols.tolist(), values.tolist(), strict=True))


def refuses(path, text, line, match, **options):
    """Check that reading the content raises a ReadError with this line and message."""
    with pytest.raises(ReadError, match=match) as caught:
        read_text(path, text, **options)
    assert caught.value.line == line
    assert caught.value.path == str(path)
    where = str(path) if line is None else f"{path}:{line}"
    assert str(caught.value).startswith(f"{where}: ")
