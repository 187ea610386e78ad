"""What the ranks send: one collective and one word for each level, or each iteration."""

from __future__ import annotations

from collections import Counter

import graphla as gl
from tests.graphs import edges

COLLECTIVES = ("word", "allgather", "alltoall")


def steps_of(algorithm, G, ranks=3):
    """Return the collectives of rank 0 in a warm call."""

    def run(member):
        H = member.distribute(G)
        algorithm(H)
        with gl.trace() as steps:
            result = algorithm(H)
        return result, [s for s in steps if s.operation in COLLECTIVES]

    return gl.ranks.in_process(ranks, run)[0]


def test_search_sends_one_frontier_and_one_word_a_level():
    G = edges(range(9), range(1, 10), n=10, kind="undirected")
    _, steps = steps_of(lambda H: gl.bfs(H, 0), G)
    count = Counter(s.operation for s in steps)
    levels = 10  # the last finds nothing
    assert count["allgather"] + count["alltoall"] == levels
    assert count["word"] == levels


def test_counting_the_edges_of_a_frontier_needs_no_word_of_its_own():
    """Where the numbers of vertices do not decide between push and pull, their edges do."""
    G = gl.generate.kronecker(9, seed=1)
    _, steps = steps_of(lambda H: gl.bfs_levels(H, 0), G)
    count = Counter(s.operation for s in steps)
    assert {"allgather", "alltoall"} <= count.keys()
    assert count["word"] == count["allgather"] + count["alltoall"]


def test_pagerank_gathers_once_and_sends_two_words_an_iteration():
    G = gl.generate.kronecker(7, seed=1)
    result, steps = steps_of(gl.pagerank, G)
    count = Counter(s.operation for s in steps)
    assert count == {"allgather": result.iterations, "word": 2 * result.iterations}
    others = G.n - G.n // 3 - 40  # this rank has at most n/3 + 40 of the values
    assert all(s.nbytes >= 8 * others for s in steps if s.operation == "allgather")


def test_values_that_are_not_read_are_not_sent():
    G = gl.generate.kronecker(8, seed=1)
    _, steps = steps_of(lambda H: gl.bfs_levels(H, 0), G)
    pulled = [s for s in steps if s.operation == "allgather"]
    assert pulled
    assert all(s.nbytes <= G.n for s in pulled)


def test_text_of_a_graph_sends_nothing():
    def run(member):
        H = member.distribute(gl.generate.kronecker(6, seed=1))
        result = gl.bfs(H, 0)
        if member.rank == 0:
            assert "Vector: 64 INT32, in blocks of 3 ranks" in repr(result)
            assert "Vector" in result._repr_html_()
            return repr(H), repr(H.A), repr(gl.ranks.Vector(H.A.layout, "INT64", 3))
        return None

    texts = gl.ranks.in_process(3, run)[0]
    assert texts[0].startswith("<Graph: undirected, 64 vertices")
    assert texts[0].endswith("ranks>")
    assert texts[2] == "<Vector: 3 INT64, in blocks of 3 ranks>"
