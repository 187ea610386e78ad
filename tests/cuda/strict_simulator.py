"""A simulator whose arrays are as far away as a device's: no value is read in passing.

What CuPy would do with a copy to the host, unseen (``int(x)``, ``if x``, a loop over x), and
what it refuses (a NumPy array beside one of the device) raise ``Crossing``. Reductions and
single elements are arrays without dimensions, as CuPy's. What CuPy lacks of NumPy is ``Lacking``.
"""

from __future__ import annotations

import numpy as np

from graphla.cuda.runtime.device import device
from tests.cuda.simulator import Simulator


class Crossing(Exception):
    """A value went to the host by another way than ``device.word``."""


class Lacking(Exception):
    """CuPy has no such function, or not for these arguments."""


def far(x):
    """Return NumPy's result as the device's."""
    if isinstance(x, tuple):
        return tuple(map(far, x))
    return np.asarray(x).view(Array) if isinstance(x, (np.ndarray, np.generic)) else x


def near(x):
    """Return an array of the device as NumPy's, all the way down."""
    if isinstance(x, (tuple, list)):
        return type(x)(map(near, x))
    if isinstance(x, dict):
        return {k: near(v) for k, v in x.items()}
    return x.view(np.ndarray) if isinstance(x, Array) else x


def crosses(name):
    def refuse(self, *arguments, **options):
        raise Crossing(f"{name} of an array of the device")

    return refuse


class Array(np.ndarray):
    """An array of the device."""

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        for x in inputs:
            if type(x) is np.ndarray:
                raise Crossing(f"{ufunc.__name__} of a NumPy array and one of the device")
        if "initial" in options:
            raise Lacking(f"{ufunc.__name__} from an initial value")
        return far(getattr(ufunc, method)(*near(inputs), **near(options)))

    def __array_function__(self, function, types, arguments, options):
        return far(function(*near(arguments), **near(options)))

    def __getitem__(self, key):
        return far(near(self)[near(key)])

    def __setitem__(self, key, value):
        near(self)[near(key)] = near(value)

    def __index__(self):
        """Read one element, which is a word as any other."""
        if self.ndim:
            raise Crossing("int() of an array of the device")
        return device.read_scalar(self)

    __int__ = item = __index__

    def searchsorted(self, *arguments, **options):
        return far(near(self).searchsorted(*near(arguments), **options))


for name in ("__bool__", "__float__", "__iter__", "__contains__", "tolist", "tobytes"):
    setattr(Array, name, crosses(name))


class Function:
    """A function of NumPy's; of ufuncs CuPy has `at`, for what CUDA's atomics take."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *arguments, **options):
        return far(self.function(*near(arguments), **near(options)))

    def at(self, x, *arguments):
        if x.dtype.name not in ("int32", "uint32", "uint64", "float32", "float64"):
            raise Lacking(f"{self.function.__name__}.at for {x.dtype}")
        self.function.at(near(x), *near(arguments))


class Arrays:
    """NumPy's functions, whose results are arrays of the device."""

    def __getattr__(self, name):
        if name in ("errstate", "longdouble", "lexsort", "nditer", "vectorize"):
            raise Lacking(name)  # cupy.lexsort takes a matrix, no tuple of keys
        found = getattr(np, name)
        return found if isinstance(found, type) or not callable(found) else Function(found)

    def repeat(self, x, count, axis=None):
        if isinstance(count, np.ndarray):
            raise Lacking("repeat by counts on the device")
        return far(np.repeat(near(x), count, axis))


class StrictSimulator(Simulator):
    """Counts the words that are read, by ``word`` and ``words``, and the arrays that are copied."""

    def __init__(self):
        super().__init__()
        self.xp = Arrays()
        self.copies = 0

    def read_scalar(self, x):
        return super().read_scalar(near(x))

    def read_words(self, x):
        return super().read_words(near(x))

    def to_host(self, x):
        self.copies += 1
        return super().to_host(near(x))

    def is_array(self, x):
        return isinstance(x, Array)
