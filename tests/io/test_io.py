"""Reading and writing by suffix: what is refused."""

from __future__ import annotations

import pytest

import graphla as gl
from graphla.errors import (
    DomainMismatch,
    InvalidGraph,
    InvalidValue,
)
from tests.graphs import edges
from tests.io.formats import HOLDS


@pytest.mark.parametrize(
    "name", ["graph", "x.xyz", "x.gz", "x.npz.gz", "x.parquet.zst", ".gz", "x.mtx.bz2"]
)
def test_unknown_suffix(name, tmp_path):
    with pytest.raises(InvalidValue, match=r"unknown file type .*\.mtx"):
        gl.read(tmp_path / name)
    with pytest.raises(InvalidValue, match="unknown file type"):
        gl.write(tmp_path / name, edges([0], [1], n=2))


@pytest.mark.parametrize("suffix", HOLDS)
def test_missing_file(suffix, tmp_path):
    with pytest.raises(FileNotFoundError):
        gl.read(tmp_path / f"none{suffix}")


def test_bad_arguments(tmp_path):
    path = tmp_path / "x.el"
    path.write_text("0 1\n")
    with pytest.raises(InvalidGraph, match="kind must be"):
        gl.read(path, kind="mixed")
    with pytest.raises(InvalidGraph, match="dup must be"):
        gl.read(path, dup="mean")
    with pytest.raises(InvalidValue, match="base=2"):
        gl.read(path, base=2)
    for n in (-1, 2**60 + 1):
        with pytest.raises(InvalidValue, match=f"n={n}"):
            gl.read(path, n=n)
    with pytest.raises(DomainMismatch, match="float"):
        gl.read(path, n=2.0)
    for dtype in ("complex128", "no such", "S5"):
        with pytest.raises(DomainMismatch, match="dtype="):
            gl.read(path, dtype=dtype)
