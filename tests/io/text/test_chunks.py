"""Text in chunks of whole lines, scanned by several threads: the outcome is that of one chunk."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import ReadError
from graphla.io import files
from graphla.io.text import chunks
from graphla.io.text.scan import NEWLINE
from tests.io.formats import HOLDS
from tests.io.test_fuzz import mutations, seeds

PATTERN = "%%MatrixMarket matrix coordinate pattern general"
REAL = "%%MatrixMarket matrix coordinate real general"
TEXT = [suffix for suffix in HOLDS if suffix not in (".npz", ".parquet")]


@pytest.fixture
def two_threads():
    before = gl.set_threads(2)
    yield
    gl.set_threads(before)


def cut(text, pos, line):
    data = np.frombuffer(text, np.uint8)
    return chunks.cut_at_lines(data, pos, line, chunks.count_byte(data, NEWLINE))


@pytest.mark.parametrize("block", [1, 2, 3, 5, 8, 100])
@pytest.mark.parametrize(
    "text",
    [b"", b"\n", b"\n\n\n", b"a\n\nbcdefghijk\nl\n", b"abcdefghijklmnopqrst\n", b"a\nb\nc\nd\n"],
)
def test_chunks_are_whole_lines(text, block, monkeypatch):
    monkeypatch.setattr(chunks, "BLOCK", block)
    for pos in [0, *(k + 1 for k, c in enumerate(text) if c == ord("\n"))]:
        line = text[:pos].count(b"\n") + 1
        found = cut(text, pos, line)
        assert b"".join(text[c.start : c.stop] for c in found) == text[pos:]
        for c in found:
            assert c.start == 0 or text[c.start - 1 : c.start] == b"\n"
            assert c.line == text[: c.start].count(b"\n") + 1
            assert c.lines == text[c.start : c.stop].count(b"\n")
            assert c.first == text[pos : c.start].count(b"\n")
        if block == 1:
            assert all(c.lines <= 1 for c in found)


def test_a_byte_is_counted_in_each_block(monkeypatch):
    monkeypatch.setattr(chunks, "BLOCK", 4)
    data = np.frombuffer(b"0123406780", np.uint8)
    assert chunks.count_byte(data, ord("0")) == [1, 1, 1]
    assert chunks.count_byte(data, ord("8")) == [0, 0, 1]
    assert chunks.count_byte(data, ord("x")) == [0, 0, 0]


def test_large_files_are_read_in_blocks(tmp_path, monkeypatch, two_threads):
    monkeypatch.setattr(files, "LARGE", 1)
    monkeypatch.setattr(chunks, "BLOCK", 3)
    path = tmp_path / "text.el"
    for text in (b"0 1\n1 2\n", b"0 1\n1 2", b"a", b"\n"):
        path.write_bytes(text)
        assert files.read_text(path).tobytes() == text.rstrip(b"\n") + b"\n"
        assert not files.read_text(path).flags.writeable


def outcome(path, **options):
    """Return what reading gives: the entries and properties of the graph, or the error."""
    try:
        G = gl.read(path, **options)
    except ReadError as error:
        return str(error)
    return G.kind, G.n, G.nmerged, G.dtype, [x.tolist() for x in G.A.to_coo()]


@pytest.mark.parametrize("suffix", TEXT)
def test_mutated_files_in_many_chunks(suffix, tmp_path_factory, two_threads):
    folder = tmp_path_factory.mktemp("chunks")
    start = seeds(suffix, folder)
    path = folder / f"mutated{suffix}"

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(
        st.sampled_from(start).flatmap(mutations), st.sampled_from([None, "last"]),
        st.sampled_from([1, 2, 7, 16, 33]),
    )  # fmt: skip
    def run(text, dup, block):
        path.write_bytes(text)
        expected = outcome(path, dup=dup)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(chunks, "BLOCK", block)
            assert outcome(path, dup=dup) == expected

    run()


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".csv", "0,1,1\n1,2,9223372036854775808\n2,3,1.5\n"),  # INT64, then UINT64, then FP64
        (".csv", "0,1,1\n1,2,1.5\n2,3,9223372036854775808\n3,4,x\n"),
        (".csv", "0,1,1e999\n1,2,1.5\n2,3,1e999\n"),
        (".wel", "0 1 1\n# a comment\n\n1 2 1\n2 3 1\n# the last line\n"),
        (".wel", "0 1 1\n# a comment\n\n1 2 1\n\n0 1 1\n# the last line\n"),
        (".mtx", f"{PATTERN}\n3 3 2\n1 2\n% x\n2 3\n3 1\n4 4"),
        (".mtx", f"{PATTERN}\n3 3 2\n1 2\n% x\n2 3\n4 4"),
        (".mtx", f"{PATTERN}\n3 3 3\n1 2\n% x\n2 3\n% y"),
        (".mtx", f"{REAL}\n3 3 2\n1 2 1e999\n% x\n2 3 1e999\n"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("block", [1, 4, 11])
def test_outcome_of_chunks(suffix, text, block, tmp_path, monkeypatch, two_threads):
    path = tmp_path / f"graph{suffix}"
    path.write_text(text)
    expected = outcome(path, dup=None)
    monkeypatch.setattr(chunks, "BLOCK", block)
    assert outcome(path, dup=None) == expected
