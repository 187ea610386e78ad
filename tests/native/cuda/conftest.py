"""The device of these tests: a GPU if there is one, else the simulator."""

from tests.cuda.conftest import cuda_device

__all__ = ["cuda_device"]
