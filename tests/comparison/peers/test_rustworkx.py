"""All algorithms of rustworkx are verified on small graphs."""

from __future__ import annotations

import pytest

from tests.comparison.peers.verified import (
    check_main_algorithms,
    check_negative_weights,
    verification,
)

test_results_are_verified = verification("rustworkx")


@pytest.mark.thorough
def test_negative_weights_are_refused_or_right():
    check_negative_weights("rustworkx")


def test_main_algorithms():
    check_main_algorithms("rustworkx")
