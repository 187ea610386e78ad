"""Both engines: "cuda" runs on a GPU if there is one, otherwise in the simulator."""

from __future__ import annotations

import pytest

from tests.cuda.conftest import cuda_device

__all__ = ["cuda_device"]


@pytest.fixture(params=["cpu", "cuda"])
def engine(request):
    if request.param == "cuda":
        request.getfixturevalue("cuda_device")
    return request.param
