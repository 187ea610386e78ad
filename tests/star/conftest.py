"""Both engines: "cuda" runs on a GPU where there is one, else in the simulator."""

from __future__ import annotations

import pytest

from tests.cuda.conftest import gpu

__all__ = ["gpu"]  # for these tests too


@pytest.fixture(params=["cpu", "cuda"])
def engine(request):
    if request.param == "cuda":
        request.getfixturevalue("gpu")
    return request.param
