"""All algorithms of igraph are verified on small graphs."""

from __future__ import annotations

import pytest

from tests.comparison.peers.verified import (
    check_main_algorithms,
    check_negative_weights,
    verification,
)

test_results_are_verified = verification("igraph")


@pytest.mark.thorough
def test_negative_weights_are_refused_or_right():
    check_negative_weights("igraph")


def test_main_algorithms():
    check_main_algorithms("igraph")
