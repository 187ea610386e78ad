"""More records than the writer formats at once."""

from __future__ import annotations

import graphla as gl
from graphla.io import text_writer
from tests.graphs import random_graph
from tests.io.formats import same


def test_more_records_than_a_chunk(tmp_path, monkeypatch):
    monkeypatch.setattr(text_writer, "CHUNK", 7)
    for suffix in (".wel", ".mtx", ".graph"):
        G = random_graph(30, 100, kind="undirected", dtype="uint16")
        gl.write(tmp_path / f"chunks{suffix}", G)
        assert same(gl.read(tmp_path / f"chunks{suffix}"), G)
