"""The benchmark on ranks: keys and traversed edges of one process, and wrong results are found."""

from __future__ import annotations

import pytest

import graphla as gl
from graphla.errors import InvalidValue, VerificationError
from graphla.graph500 import protocol_on_ranks
from graphla.ranks import in_process
from graphla.ranks.handle import Member
from tests.cuda.conftest import cuda_device  # noqa: F401

SIZE = 7, 5, 6, 3  # scale, edgefactor, searches, seed


@pytest.mark.parametrize(("ranks", "engine"), [(1, "cpu"), (3, "cpu"), (2, "cuda")])
def test_keys_and_edges_are_those_of_one_process(ranks, engine):
    scale, edgefactor, searches, seed = SIZE
    expected = gl.graph500.run(
        scale, edgefactor=edgefactor, searches=searches, seed=seed, max_wait=0
    )
    measure = protocol_on_ranks._measure
    for found in in_process(ranks, lambda r: measure(Member(r), *SIZE), engine=engine):
        assert (tuple(found.roots), tuple(found.nedge)) == (expected.roots, expected.nedge)
        assert found.nvals == expected.about["nvals"]
        assert len(found.seconds) == len(found.validate_s) == searches


def test_wrong_result(monkeypatch):
    right = protocol_on_ranks.bfs

    def wrong(G, root):
        level, parent = right(G, root)
        level << level.apply("plus", right=1)
        return level, parent

    monkeypatch.setattr(protocol_on_ranks, "bfs", wrong)
    with pytest.raises(VerificationError):
        in_process(2, lambda r: protocol_on_ranks._measure(Member(r), *SIZE))


def test_bad_arguments():
    for options in ({"scale": 0}, {"scale": 40}, {"scale": 4, "searches": 0}):
        with pytest.raises(InvalidValue):
            gl.graph500.run_on_ranks(None, **options)
