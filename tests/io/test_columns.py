"""Edge columns: graphs from them and back, exact casts of weights, checks of arguments."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.errors import DomainMismatch, InvalidGraph, InvalidValue
from graphla.io.columns import (
    cast_weights,
    check_integer_weights,
    check_n,
    edge_columns,
    graph_from_columns,
    weight_dtype,
    with_kind,
)
from tests.graphs import edges


class Failed(Exception):
    pass


def fail(record, expected):
    raise Failed(record, expected)


def made(src, dst, weight=None, *, n=3, kind="directed", dup=None, both_directions=False):
    src, dst = np.array(src), np.array(dst)
    weight = None if weight is None else np.array(weight)
    return graph_from_columns(
        src, dst, weight, n=n, kind=kind, dup=dup, both_directions=both_directions, fail=fail
    )


@pytest.mark.parametrize(
    ("half", "src"), [("", [0, 1, 1, 2]), ("upper", [0, 1]), ("lower", [1, 2])]
)
def test_columns_of_an_undirected_graph(half, src):
    G = edges([0, 1], [1, 2], [5, 7], n=3, kind="undirected")
    found = edge_columns(G, half)
    assert found[0].tolist() == src
    assert edge_columns(G.astype("BOOL"), half)[2] is None
    assert edge_columns(edges([2], [0], n=3), half)[0].tolist() == [2]


def test_undirected_edges_listed_in_both_directions_or_once():
    both = made([0, 1, 2], [1, 0, 2], [4, 4, 1], kind="undirected", both_directions=True)
    once = made([0, 2], [1, 2], [4, 1], kind="undirected")
    assert (both.kind, both.nedges) == ("undirected", 2)
    assert both.A.isequal(once.A)


@pytest.mark.parametrize(
    ("record", "expected", "arguments"),
    [
        (1, "NaN weight", {"src": [0, 1], "dst": [1, 2], "weight": [1.0, np.nan]}),
        (2, "0 -> 1 .* occurs again", {"src": [0, 1, 0, 0], "dst": [1, 0, 1, 1]}),
        (1, "1 -- 0 .* occurs again", {"src": [0, 1], "dst": [1, 0], "kind": "undirected"}),
        (0, "0 -> 1 .* no such reverse", {"src": [0, 1, 2], "dst": [1, 2, 1], "kind": "undirected",
                                          "both_directions": True}),
        (0, "0 -> 1 .* no such reverse", {"src": [0, 1], "dst": [1, 0], "weight": [3, 4],
                                          "kind": "undirected", "both_directions": True}),
    ],
)  # fmt: skip
def test_the_first_bad_record_is_named(record, expected, arguments):
    with pytest.raises(Failed, match=expected) as caught:
        made(**arguments)
    assert caught.value.args[0] == record


@pytest.mark.parametrize(
    ("src", "dst", "merged"),
    [
        ([0, 1], [1, 0], 0),
        ([0, 0, 1, 1], [1, 1, 0, 0], 1),
        ([0, 0, 1], [1, 1, 0], 1),
        ([0, 0, 0, 1, 2, 2, 2], [1, 1, 1, 0, 2, 2, 2], 3),
    ],
)
def test_merged_edges_of_a_file_with_both_directions(src, dst, merged):
    G = made(src, dst, kind="undirected", dup="min", both_directions=True)
    assert G.nmerged == merged


def test_merged_edges_of_one_triangle_as_directed_edges():
    src, dst = np.array([0, 0, 1, 2, 2]), np.array([1, 1, 0, 2, 2])
    G = with_kind(made(src, dst, kind="undirected", dup="min"), "directed", src, dst)
    assert (G.kind, G.nedges, G.nmerged) == ("directed", 3, 5)


def test_duplicates_by_a_rule():
    assert made([0, 0], [1, 1], [4, 5], dup="sum").A[0, 1].new() == 9


@pytest.mark.parametrize(
    ("values", "dtype", "bad"),
    [
        ([1, 127, 128, -129], "int8", [2, 3]),
        ([0.0, 1.5, 300.0], "uint8", [1, 2]),
        ([2**53, 2**53 + 1, -(2**53) - 1], "float64", [1, 2]),
        ([2**24 + 1, 7], "float32", [0]),
        ([1e39, 0.1, np.inf], "float32", [0]),
        ([1, 0, 2], "bool", [1, 2]),
    ],
)
def test_weights_are_cast_exactly_or_named(values, dtype, bad):
    cast, wrong = cast_weights(np.array(values), np.dtype(dtype))
    assert wrong.tolist() == bad
    assert cast is None if dtype == "bool" else cast.dtype == dtype


def test_arguments():
    assert weight_dtype(None) is None
    assert weight_dtype("FP32") == np.float32
    for bad in ("complex128", "nothing", "FC32"):
        with pytest.raises(DomainMismatch, match="dtype"):
            weight_dtype(bad)
    assert (check_n(None), check_n(np.int8(5)), check_n(1 << 60)) == (None, 5, 1 << 60)
    for bad in (-1, (1 << 60) + 1):
        with pytest.raises(InvalidValue, match=f"n={bad} is out of range"):
            check_n(bad)
    with pytest.raises(DomainMismatch, match="n must be an integer, not float"):
        check_n(1.0)
    check_integer_weights(edges([0], [1], [5], n=2), "METIS")
    with pytest.raises(InvalidGraph, match=r"METIS needs integer weights .* FP64"):
        check_integer_weights(edges([0], [1], [0.5], n=2), "METIS")
