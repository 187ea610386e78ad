"""Both engines: "cuda" runs on a GPU if there is one, otherwise in the simulator."""

from __future__ import annotations

import pytest

from tests.cuda.conftest import gpu

__all__ = ["gpu"]


@pytest.fixture(params=["cpu", "cuda"])
def engine(request):
    if request.param == "cuda":
        request.getfixturevalue("gpu")
    return request.param
