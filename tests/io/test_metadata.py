"""The metadata comment: written for what a format cannot say, read back, and refused if wrong."""

from __future__ import annotations

import pytest

from graphla.io.metadata import metadata_comment, metadata_line, parse_metadata
from tests.graphs import edges

G = edges([0], [1], [5], n=7, kind="undirected").astype("INT8")


def test_only_what_differs_from_the_defaults_is_written():
    defaults = {"n": 2, "kind": "undirected", "dtype": "int64"}
    assert metadata_comment(G, **defaults) == "graphla: n=7 dtype=int8"
    assert metadata_line("#", G, **defaults) == "# graphla: n=7 dtype=int8\n"
    assert metadata_comment(G, n=7) == metadata_line("#", G, n=7) == ""


def test_what_is_written_is_read_back():
    comment = metadata_line("%", G, n=None, kind=None, dtype=None)
    assert parse_metadata(comment) == {"n": 7, "kind": "undirected", "dtype": "int8"}


@pytest.mark.parametrize("comment", ["# a comment", "graphla: hello", "graphla:", "graphla: n=7 !"])
def test_other_comments_have_no_fields(comment):
    assert parse_metadata(comment) == {}


@pytest.mark.parametrize(
    "field", ["n=-1", f"n={2**60 + 1}", "n=x", "kind=tree", "dtype=float16", "size=3"]
)
def test_wrong_fields_are_named(field):
    comment = f"# graphla: dtype=int8 {field}"
    if field == "n=-1":  # not a metadata comment
        assert parse_metadata(comment) == {}
        return
    with pytest.raises(ValueError, match="x" if field == "n=x" else field):
        parse_metadata(comment)
