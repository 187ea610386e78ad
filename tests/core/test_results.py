"""Results as tuples, and their text, which never goes through python-graphblas's formatter."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from graphblas import Vector
from graphblas.core import formatting

from graphla.core.results import BFS, SSSP, Edges, Forest, PageRank

LEVEL = Vector.from_coo([0, 2], [0, 1], size=4)
DISTANCE = Vector.from_coo([0, 1, 2, 3], [0, 0.5, 1, 2.5], size=4)
EDGES = Edges(*(Vector.from_dense(np.array(x)) for x in ([0, 1], [1, 2], [5, 7])))

SHORT = [
    (BFS(LEVEL, LEVEL), "BFS(level=[INT64 4, 2 entries], parent=[INT64 4, 2 entries])"),
    (
        SSSP(DISTANCE, LEVEL),
        "SSSP(distance=[FP64 4, 4 entries], parent=[INT64 4, 2 entries])",
    ),
    (
        Forest(EDGES, 12, LEVEL),
        "Forest(edges=(2 edges), weight=12, component=[INT64 4, 2 entries])",
    ),
    (
        PageRank(DISTANCE, 9, 1e-5),
        "PageRank(rank=[FP64 4, 4 entries], iterations=9, residual=1e-05)",
    ),
]


@pytest.fixture(autouse=True)
def no_graphblas_formatter(monkeypatch):
    for name in ("format_vector", "format_vector_html", "format_matrix", "format_matrix_html"):
        monkeypatch.setattr(formatting, name, None)


@pytest.mark.parametrize(("result", "text"), SHORT, ids=lambda x: type(x).__name__)
def test_text(result, text):
    assert repr(result) == text
    html = result._repr_html_()
    assert html.startswith(f"<table><caption>{type(result).__name__}</caption>")
    assert html.count("<tr>") == len(result._fields)
    for name in result._fields:
        assert f"<th>{name}</th>" in html


def test_html_shows_the_first_values():
    html = BFS(LEVEL, LEVEL)._repr_html_()
    assert html.count("<td>0, ·, 1, ·</td>") == 2
    long = Vector.from_dense(np.arange(20) / 3)
    assert "<td>0, 0.3333, 0.6667, 1, 1.333, 1.667, 2, 2.333, ...</td>" in (
        PageRank(long, 1, 0.1)._repr_html_()
    )
    assert "<td></td>" in PageRank(Vector(float, 0), 1, 0.1)._repr_html_()


def test_a_result_unpacks_in_the_documented_order():
    level, parent = BFS(LEVEL, DISTANCE)
    assert (level, parent) == (LEVEL, DISTANCE)
    assert BFS._fields == ("level", "parent")
    assert SSSP._fields == ("distance", "parent")
    assert Forest._fields == ("edges", "weight", "component")
    assert Edges._fields == ("src", "dst", "weight")
    assert PageRank._fields == ("rank", "iterations", "residual")


@pytest.mark.parametrize("result", [r for r, _ in SHORT], ids=lambda r: type(r).__name__)
def test_pickle(result):
    copied = pickle.loads(pickle.dumps(result))
    assert type(copied) is type(result)
    assert repr(copied) == repr(result)
