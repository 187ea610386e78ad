"""Ranks that are threads end with their caller."""

from __future__ import annotations

import signal
import threading

import pytest

from graphla.errors import RankFailure
from graphla.ranks import in_process

SECONDS = 60  # in which the ranks end; it takes some milliseconds


def test_interrupted_caller():
    """Each rank raises where it meets the others next, and its thread ends."""
    ended, both_have = [], threading.Event()

    def exchange_for_ever(ranks):
        try:
            ranks.communicator.gather_words("turn", 0)
            if ranks.communicator.rank == 0:
                signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            while True:
                ranks.communicator.gather_words("turn", 0)
        except RankFailure as error:
            ended.append(str(error))
            if len(ended) == 2:
                both_have.set()
            raise

    with pytest.raises(KeyboardInterrupt):
        in_process(2, exchange_for_ever)
    assert both_have.wait(SECONDS)
    assert any("was interrupted" in text for text in ended)
