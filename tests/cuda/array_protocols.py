"""Arrays of other libraries, which have one protocol alone."""

import numpy as np

from graphla.cuda.runtime.device import device


class CudaArray:
    """An array of another library on the device."""

    def __init__(self, array):
        self.array, self.shape = array, array.shape

    def __getattr__(self, name):
        if name == "__array_interface__" and device.xp.ndarray is np.ndarray:
            return self.array.__array_interface__
        if name == "__cuda_array_interface__":
            return getattr(self.array, name, {})
        raise AttributeError(name)


class DLPackArray:
    """An array of another library that has DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        kind, number = self.array.__dlpack_device__()
        return (2 if device.xp.ndarray is np.ndarray else kind), number
