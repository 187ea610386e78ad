"""Scalar: a value on the host, or on the device until it is read."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from graphla.core.validation import real_dtype
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import HostResult
from graphla.errors import DomainMismatch, InvalidValue


class Scalar:
    """A typed value, or none; that of a reduction stays on the device until it is read.

    Parameters
    ----------
    dtype : dtype
        As of python-graphblas.
    value : number, optional
        None is an empty Scalar.
    """

    __slots__ = ("_pending", "_typed", "_value", "dtype")
    _engine = "cuda"
    ndim, shape = 0, ()

    def __init__(self, dtype: Any, value: Any = None) -> None:
        self.dtype = real_dtype(dtype)
        self._pending: Any = None
        self.value = value

    @classmethod
    def from_value(cls, value: Any, dtype: Any, *, is_cscalar: bool = False) -> Scalar:
        """Make a Scalar of a number."""
        return cls(dtype, value)

    @classmethod
    def on_device(cls, dtype: Any, value: Any, found: Any = None) -> Scalar:
        """Make a Scalar of a word of the device, empty if the word `found` is 0.

        Without `found`, `value` is a HostResult or an array of two words: value and flag.
        """
        scalar = cls.__new__(cls)
        scalar.dtype, scalar._typed, scalar._value = dtype, None, None
        scalar._pending = value if found is None else (value, found)
        return scalar

    @property
    def value(self) -> Any:
        """The value as a Python number, or None; it can be set."""
        pending = self._pending
        if pending is not None:
            if isinstance(pending, HostResult):
                word, has_value = pending.wait()
                self._value = _value_of_word(word, self.dtype.np_type) if has_value else None
            elif isinstance(pending, tuple):
                value, has_value = pending
                self._value = device.read_scalar(value) if device.read_scalar(has_value) else None
            else:
                words = device.read_words(pending)
                self._value = words.view(self.dtype.np_type)[0].item() if words[1] else None
            self._pending = None
        return self._value

    @value.setter
    def value(self, value: Any) -> None:
        try:
            typed: Any = None if value is None else self.dtype.np_type.type(value)
            self._typed, self._value = typed, None if value is None else typed.item()
        except OverflowError:
            raise InvalidValue(f"{value} does not fit {self.dtype.name}") from None
        except (TypeError, ValueError):
            raise DomainMismatch(f"{value!r} is not a value of {self.dtype.name}") from None
        self._pending = None

    def get(self, default: Any = None) -> Any:
        """Return the value, or `default` if there is none."""
        return default if self.value is None else self.value

    def new(self, dtype: Any = None) -> Scalar:
        """Return a new Scalar, of another dtype if one is given."""
        return Scalar(dtype or self.dtype, self.value)

    dup = new

    @property
    def is_empty(self) -> bool:
        """Whether the Scalar has no value."""
        return self.value is None

    @property
    def nvals(self) -> int:
        """1, or 0 if there is no value."""
        return int(not self.is_empty)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __int__(self) -> int:
        return int(self.value)

    def __index__(self) -> int:
        if self.dtype.np_type.kind == "f":
            raise DomainMismatch(f"an index must be an integer, not {self.dtype.name}")
        return int(self.value)

    def __array__(self, dtype: Any = None, *, copy: bool | None = None) -> Any:
        return np.array(self.value, dtype or self.dtype.np_type)

    def __float__(self) -> float:
        return float(self.value)

    def __eq__(self, other: object) -> bool:
        return bool(self.value == getattr(other, "value", other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Scalar: {self.dtype.name}, {self.value}>"


def _value_of_word(word: int, np_type: Any) -> Any:
    """Return the value in the first bytes of a 64-bit word."""
    return struct.unpack_from(np_type.char, struct.pack("q", word))[0]


def typed(x: Any) -> Any:
    """Return the value of a Scalar, ours or python-graphblas's, as a NumPy scalar."""
    if type(x) is Scalar and x._pending is None and x._typed is not None:
        return x._typed
    value = x.value
    if value is None:
        raise InvalidValue("an empty Scalar has no value")
    return x.dtype.np_type.type(value)
