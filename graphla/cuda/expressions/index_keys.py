"""The keys of ``v[keys]`` and ``A[keys, keys]``, checked: one :class:`Axis` for each dimension."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

import numpy as np
from graphblas.dtypes import BOOL, INT64

from graphla.cuda.expressions.arguments import on_device
from graphla.cuda.memory.buffer_pool import zeroed_words
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import HostResult, kernel
from graphla.cuda.storage.vector_formats import cuda_type, kernel_index_dtype, no_index
from graphla.errors import DomainMismatch, InvalidIndex


class Axis(NamedTuple):
    """The selected indices of a dimension: ``array`` or, if that is None, ``start + step * k``."""

    size: int  # of the dimension
    length: int
    start: int = 0
    step: int = 1
    array: Any = None
    single: bool = False  # a number: the result has no such dimension

    @property
    def whole(self) -> bool:
        """Whether these are all indices, in order."""
        return self.array is None and self.step == 1 and self.length == self.size

    def list(self) -> Any:
        """Return the indices as an array."""
        if self.array is not None:
            return self.array
        kind = kernel_index_dtype(self.size)
        step = np.int64(self.step).astype(kind)  # a negative one wraps, as the products do
        return device.xp.arange(self.length, dtype=kind) * step + kind(self.start)

    def inverse(self) -> Any:
        """Return for each index of the dimension its position among the selected ones.

        That of an index which is not selected is :func:`no_index`; of one that is selected more
        than once, any of its positions.
        """
        xp = device.xp
        kind = kernel_index_dtype(self.length)
        places = xp.full(self.size, no_index(kind), kind)
        places[self.list()] = xp.arange(self.length, dtype=kind)
        return places


def axes(keys: Any, shape: tuple[int, ...]) -> tuple[Axis, ...]:
    """Return the axes of an object's keys.

    Raises
    ------
    DomainMismatch
        Too many keys or too few, or no integers.
    InvalidIndex
        An index outside its dimension.
    """
    if keys is Ellipsis:
        keys = (slice(None),) * len(shape)
    if not isinstance(keys, tuple) or len(keys) != len(shape):
        raise DomainMismatch(f"an index for each dimension, A[rows, columns]; got {keys!r}")
    return tuple(_axis(key, size) for key, size in zip(keys, shape, strict=True))


def _axis(key: Any, size: int) -> Axis:
    if isinstance(key, slice):
        try:
            steps = range(*key.indices(size))
        except TypeError:
            raise DomainMismatch(f"{key!r} is not a slice of integers") from None
        return Axis(size, len(steps), steps.start, steps.step)
    if device.is_array(key) and key.ndim:  # which operator.index would copy to the host
        return _listed(key, size)
    if not isinstance(key, (bool, np.bool_, tuple)):
        try:
            i = operator.index(key)
        except (TypeError, AttributeError):  # the latter of a Scalar of python-graphblas's
            return _listed(key, size)
        if getattr(key, "dtype", INT64) == BOOL:  # of a Scalar
            raise DomainMismatch(f"{key!r} is not an index")
        if not -size <= i < size:
            raise InvalidIndex(f"index {i:,} is out of range of a dimension of {size:,}")
        return Axis(size, 1, i % size, 1, None, True)
    raise DomainMismatch(f"{key!r} is not an index")


def _listed(key: Any, size: int) -> Axis:
    xp = device.xp
    on_device("indexing", key)
    if isinstance(key, range):
        key = xp.arange(key.start, key.stop, key.step)
    elif hasattr(key, "ndim") and not (device.is_array(key) or isinstance(key, np.ndarray)):
        raise DomainMismatch(f"{type(key).__name__} is not an index; a mask goes into x(mask=m.S)")
    elif not device.is_array(key):
        try:
            key = np.asarray(key if isinstance(key, np.ndarray) else list(key))
        except (TypeError, ValueError):
            raise DomainMismatch(f"{key!r} is not an index") from None
        if key.size == 0:
            key = key.astype(np.int64)
        if key.dtype.kind in "iub":  # other dtypes are refused below
            key = xp.asarray(key)
    if key.ndim != 1 or key.dtype.kind not in "iu":
        raise DomainMismatch(
            f"indices must be integers in one dimension; got {key.dtype} {key.shape}"
        )
    indices = xp.empty(key.size, kernel_index_dtype(size))
    if key.size and (place := _checked(xp.ascontiguousarray(key), size, indices)):
        found = device.read_scalar(key[place - 1])
        raise InvalidIndex(f"index {found:,} is out of range of a dimension of {size:,}")
    return Axis(size, int(key.size), array=indices)


def _checked(key: Any, size: int, indices: Any) -> int:
    """Fill `indices`; return 0, or 1 + the position of a key that is out of range."""
    types = f"typedef {cuda_type(key.dtype)} Key;\ntypedef {cuda_type(indices.dtype)} Index;\n"
    result = HostResult()
    kernel("normalize_indices", types)(
        key.size, key.size, size, key, indices, zeroed_words(), result.device_words
    )
    return result.wait()[0]
