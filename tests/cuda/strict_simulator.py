"""A simulator whose arrays forbid implicit transfers to the host.

``Crossing`` is raised for what CuPy does by a hidden copy to the host (``if x``, a loop over x),
and for what it does not allow (mixing a NumPy array with one of the device). As in CuPy,
reductions and single elements are arrays of dimension 0. ``Lacking`` is raised for functions of
NumPy that CuPy does not have.
"""

from __future__ import annotations

import numpy as np

from graphla.cuda.runtime.device import device
from tests.cuda.simulator import Simulator


class Crossing(Exception):
    """A value was copied to the host implicitly."""


class Lacking(Exception):
    """CuPy does not have the function, or does not support its arguments."""


def to_device(x):
    """Return arrays of NumPy as arrays of the device."""
    if isinstance(x, tuple):
        return tuple(map(to_device, x))
    return np.asarray(x).view(Array) if isinstance(x, (np.ndarray, np.generic)) else x


def to_numpy(x):
    """Return arrays of the device as arrays of NumPy, also inside tuples, lists and dicts."""
    if isinstance(x, (tuple, list)):
        return type(x)(map(to_numpy, x))
    if isinstance(x, dict):
        return {k: to_numpy(v) for k, v in x.items()}
    return x.view(np.ndarray) if isinstance(x, Array) else x


def forbidden(name):
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
        return to_device(getattr(ufunc, method)(*to_numpy(inputs), **to_numpy(options)))

    def __array_function__(self, function, types, arguments, options):
        return to_device(function(*to_numpy(arguments), **to_numpy(options)))

    def __getitem__(self, key):
        return to_device(to_numpy(self)[to_numpy(key)])

    def __setitem__(self, key, value):
        to_numpy(self)[to_numpy(key)] = to_numpy(value)

    def __index__(self):
        """Read one element; counted like every other read."""
        if self.ndim:
            raise Crossing("int() of an array of the device")
        return device.read_scalar(self)

    __int__ = item = __index__

    def searchsorted(self, *arguments, **options):
        return to_device(to_numpy(self).searchsorted(*to_numpy(arguments), **options))


for name in ("__bool__", "__float__", "__iter__", "__contains__", "tolist", "tobytes"):
    setattr(Array, name, forbidden(name))


class Function:
    """A function of NumPy; a ufunc has `at` for the dtypes of CUDA's atomics, as in CuPy."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *arguments, **options):
        return to_device(self.function(*to_numpy(arguments), **to_numpy(options)))

    def at(self, x, *arguments):
        if x.dtype.name not in ("int32", "uint32", "uint64", "float32", "float64"):
            raise Lacking(f"{self.function.__name__}.at for {x.dtype}")
        self.function.at(to_numpy(x), *to_numpy(arguments))


class Arrays:
    """The functions of NumPy, with arrays of the device as results."""

    def __getattr__(self, name):
        if name in ("errstate", "longdouble", "lexsort", "nditer", "vectorize"):
            raise Lacking(name)  # cupy.lexsort takes a matrix, not a tuple of keys
        attribute = getattr(np, name)
        is_function = callable(attribute) and not isinstance(attribute, type)
        return Function(attribute) if is_function else attribute

    def repeat(self, x, count, axis=None):
        if isinstance(count, np.ndarray):
            raise Lacking("repeat by counts on the device")
        return to_device(np.repeat(to_numpy(x), count, axis))


class StrictSimulator(Simulator):
    """Counts the scalars that are read and the arrays that are copied to the host."""

    def __init__(self):
        super().__init__()
        self.xp = Arrays()
        self.copies = 0

    def read_scalar(self, x):
        return super().read_scalar(to_numpy(x))

    def read_words(self, x):
        return super().read_words(to_numpy(x))

    def to_host(self, x):
        self.copies += 1
        return super().to_host(to_numpy(x))

    def is_array(self, x):
        return isinstance(x, Array)
