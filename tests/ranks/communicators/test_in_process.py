"""Ranks that are threads end with their caller."""

from __future__ import annotations

import threading

import pytest

from graphla.errors import RankFailure
from graphla.ranks import in_process

SECONDS = 60  # in which the ranks end; it takes some milliseconds


def test_failure_raised_by_a_function():
    """It is the cause, not those of the ranks that wait."""

    def fail_on_last(ranks):
        if ranks.rank == 2:
            raise RankFailure("raised by the function")
        ranks.communicator.gather_words("turn", 0)

    with pytest.raises(RankFailure, match="raised by the function"):
        in_process(3, fail_on_last)


def test_interrupted_caller(monkeypatch):
    """Each rank raises at its next exchange with the others, and its thread ends."""
    ended, both_have, has_begun = [], threading.Event(), threading.Event()

    def exchange_for_ever(ranks):
        try:
            while True:
                ranks.communicator.gather_words("turn", 0)
                has_begun.set()
        except RankFailure as error:
            ended.append(str(error))
            if len(ended) == 2:
                both_have.set()
            raise

    def interrupted_join(thread):
        assert has_begun.wait(SECONDS)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "join", interrupted_join)
    with pytest.raises(KeyboardInterrupt):
        in_process(2, exchange_for_ever)
    assert both_have.wait(SECONDS)
    assert any("was interrupted" in text for text in ended)
