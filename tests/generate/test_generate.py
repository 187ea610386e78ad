"""What all generators refuse, their smallest graphs, and their names."""

from __future__ import annotations

import pytest

from graphla.errors import DomainMismatch, InvalidValue
from tests.generate.generators import generate


@pytest.mark.parametrize(
    ("call", "error", "what"),
    [
        (lambda: generate.kronecker(33), InvalidValue, "scale=33"),
        (lambda: generate.kronecker(-1), InvalidValue, "scale=-1"),
        (lambda: generate.kronecker(2.0), DomainMismatch, "scale"),
        (lambda: generate.kronecker(3, edgefactor=-1), InvalidValue, "edgefactor=-1"),
        (lambda: generate.uniform(40), InvalidValue, "scale=40"),
        (lambda: generate.uniform(4, edgefactor=0.5), DomainMismatch, "edgefactor"),
        (lambda: generate.rmat(4, a=0.6, b=0.3, c=0.2), InvalidValue, "at most 1"),
        (lambda: generate.rmat(4, a=-0.1, b=0.3, c=0.2), InvalidValue, "a=-0.1"),
        (lambda: generate.rmat(4, a=0.1, b="0.3", c=0.2), DomainMismatch, "b must be"),
        (lambda: generate.random_digraph(-1, 2), InvalidValue, "n=-1"),
        (lambda: generate.random_digraph(5, float("nan")), InvalidValue, "degree=nan"),
        (lambda: generate.random_digraph(5, float("inf")), InvalidValue, "degree=inf"),
        (lambda: generate.random_dag(5, -1), InvalidValue, "degree=-1"),
        (lambda: generate.ssca2(5, max_clique=0), InvalidValue, "max_clique=0"),
        (lambda: generate.ssca2(5, max_clique=33), InvalidValue, "max_clique=33"),
        (lambda: generate.ssca2(5, joins=1.5), InvalidValue, "joins=1.5"),
        (lambda: generate.grid(), InvalidValue, "at least one dimension"),
        (lambda: generate.grid(3, 0), InvalidValue, r"shape\[1\]=0"),
        (lambda: generate.grid(3, 1.5), DomainMismatch, r"shape\[1\]"),
        (lambda: generate.grid(2**20, 2**20), InvalidValue, "number of vertices"),
        (lambda: generate.grid(3, 3, holes=1.01), InvalidValue, "holes=1.01"),
        (lambda: generate.geometric(4, -0.1), InvalidValue, "radius=-0.1"),
        (lambda: generate.geometric(4, 0.1, dim=0), InvalidValue, "dim=0"),
        (lambda: generate.path(-1), InvalidValue, "n=-1"),
        (lambda: generate.cycle(2), InvalidValue, "n=2"),
        (lambda: generate.star("3"), DomainMismatch, "n must be"),
        (lambda: generate.complete(None), DomainMismatch, "n must be"),
        (lambda: generate.python_imports("/no/such/folder"), InvalidValue, "no folder"),
    ],
)
def test_refused(call, error, what):
    with pytest.raises(error, match=what):
        call()


@pytest.mark.parametrize(
    "make",
    [
        lambda: generate.kronecker(0),
        lambda: generate.uniform(0),
        lambda: generate.rmat(0, a=0.25, b=0.25, c=0.25),
        lambda: generate.ssca2(0),
        lambda: generate.random_digraph(1, 1),
        lambda: generate.random_dag(1, 1),
        lambda: generate.grid(1),
        lambda: generate.geometric(1, 1),
        lambda: generate.path(1),
        lambda: generate.star(1),
        lambda: generate.complete(1),
    ],
)
def test_one_vertex_has_no_edge(make):
    G = make()
    assert (G.n, G.nedges) == (1, 0)


@pytest.mark.parametrize("make", ["path", "star", "complete"])
def test_no_vertex(make):
    assert getattr(generate, make)(0, weights=(1, 2)).n == 0


def test_no_vertex_drawn():
    for G in (generate.random_digraph(0, 2), generate.random_dag(0, 2), generate.geometric(0, 1)):
        assert (G.n, G.nedges) == (0, 0)


def test_names_are_all_reachable():
    assert all(callable(getattr(generate, name)) for name in generate.__all__)
    assert generate.__all__ == sorted(generate.__all__)
