"""Text files in memory: headers, comments, counts, and errors with line numbers."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.errors import ReadError
from graphla.io.text_reader import TextFile


def opened(tmp_path, text, comments=b"#%"):
    path = tmp_path / "graph.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return TextFile(path, comments)


def test_header_lines_without_comments_and_blank_lines(tmp_path):
    file = opened(tmp_path, "# graphla: n=7 dtype=int8\n\n  \n3 4 # no comment\nend")
    assert file.peek() == file.peek() == ["3", "4", "#", "no", "comment"]
    assert file.line == 4
    assert file.metadata == {"n": 7, "dtype": "int8"}
    assert file.header("sizes") == ["3", "4", "#", "no", "comment"]
    assert file.peek(marks=b"e") == []


def test_a_missing_header(tmp_path):
    with pytest.raises(ReadError, match="sizes; the file ends") as caught:
        opened(tmp_path, "% nothing\n").header("sizes")
    assert caught.value.line is not None


def test_wrong_metadata(tmp_path):
    with pytest.raises(ReadError, match="found kind=tree") as caught:
        opened(tmp_path, "# first\n# graphla: kind=tree\n1 2\n").peek()
    assert caught.value.line == 2


def test_dtype_of_argument_metadata_or_default(tmp_path):
    file = opened(tmp_path, "# graphla: dtype=int8\n1\n")
    assert file.dtype(None, "int64") == np.int64
    file.peek()
    assert file.dtype(None, "int64") == np.int8
    assert file.dtype(np.dtype("uint8"), "int64") == np.uint8
    assert opened(tmp_path, "").dtype(None, None) is None


def test_counts(tmp_path):
    file = opened(tmp_path, "x\n")
    assert file.count("0012", "m", 1) == 12
    assert file.count(str(1 << 60), "m", 1) == 1 << 60
    for word in ("-1", "1.0", "", "\u0663", str((1 << 60) + 1), "9" * 30):
        with pytest.raises(ReadError, match="expected the m, in 0"):
            file.count(word, "m", 1)


def test_errors_show_the_line_as_ascii(tmp_path):
    error = opened(tmp_path, b"\xff bad\nnext\n").error(1, "expected a number", 0)
    assert (error.line, str(error).endswith(r"expected a number: '\\xff bad'")) == (1, True)


@pytest.mark.parametrize("base", [0, 1])
@pytest.mark.parametrize("roles", [None, [0, 1, 2]])
def test_vertices_take_64_bits_only_if_one_needs_them(base, roles, tmp_path):
    most = 2**31 - 1
    for last, dtype in ((most, np.int32), (most + 1, np.int64), (2**60 - 2, np.int64)):
        for weight in ("5", "2.5", "18446744073709551615"):
            lines = [f"{base} {base + 1} {weight}", f"{base + 1} {base + last} 3"]
            file = opened(tmp_path, "\n".join(lines))
            records = file.table(
                "edges", vertices=2, values=1, dtype=None, base=base, roles=roles, separator=" "
            )
            assert records.index.dtype == dtype
            assert records.index.tolist() == [[0, 1], [1, last]]
            assert records.values[0].tolist() == [
                float(weight) if "." in weight else int(weight),
                3,
            ]
            with pytest.raises(ReadError, match=f"here: '{lines[1]}'"):
                records.fail(1, "here")


def test_a_vertex_out_of_range_of_many(tmp_path):
    text = f"1 2\n3 {2**40}\n"
    for n in (2**33, 2**40):
        with pytest.raises(ReadError, match="out of range") as caught:
            opened(tmp_path, text).table("edges", vertices=2, n=n)
        assert caught.value.line == 2
    assert opened(tmp_path, text).table("edges", vertices=2, n=2**40 + 1).index[1, 1] == 2**40
