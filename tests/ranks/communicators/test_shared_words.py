"""Words in memory that processes share: threads map the same file, each as a rank."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from graphla.errors import RankFailure
from graphla.ranks.communicators.shared_words import MIN_WORDS, SharedWords

EXTREMES = (0, -1, np.iinfo(np.int64).min, np.iinfo(np.int64).max)


@pytest.fixture
def group(tmp_path):
    """Return a function that makes the words of all ranks."""
    made = []

    def make(size):
        SharedWords.create(tmp_path / "words", size)
        made.extend(SharedWords(tmp_path / "words", rank, size) for rank in range(size))
        return made

    yield make
    for words in made:
        words.close()


@pytest.mark.parametrize(("size", "width"), [(1, 1), (2, MIN_WORDS), (3, 2), (6, 6)])
def test_many_exchanges(group, size, width):
    """Each exchange returns the words of all ranks of that exchange, however fast others are."""
    rounds = 40

    def content(rank, k):
        return np.resize(np.array([rank, k, *EXTREMES], np.int64), width)

    def run(words):
        return [words.allgather(content(words.rank, k)) for k in range(rounds)]

    with ThreadPoolExecutor(size) as pool:
        found = list(pool.map(run, group(size)))
    for k in range(rounds):
        expected = np.stack([content(rank, k) for rank in range(size)])
        for of_rank in found:
            np.testing.assert_array_equal(of_rank[k], expected)


def test_words_that_are_written_in_part(group):
    """A number without its checksum is no exchange: the others wait on."""
    first, second = group(2)
    start = second.size * second._width + second._width  # of rank 1 in the first exchange
    second._words[start] = 1
    second._words[start + 1] = 7
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(first.allgather, np.array([5]))
        assert not waiting.done()
        second.allgather(np.array([8]))
        np.testing.assert_array_equal(waiting.result(30), [[5], [8]])


def test_lost_rank(group):
    first, *_ = group(3)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(first.allgather, np.array([1]))
        first.mark_lost(1)
        with pytest.raises(RankFailure, match="rank 1 of 3 has ended; rank 0 waits"):
            waiting.result(30)
    assert first.exchanges_of(0) == 1
    assert first.exchanges_of(1) == 0
