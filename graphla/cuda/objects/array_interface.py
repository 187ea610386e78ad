"""A full Vector as an array: by CUDA's array interface and DLPack, without a copy.

CuPy, PyTorch, JAX and Numba read one or both of them. A later update of the Vector that
writes in place shows in the array; one that gives it other memory does not.
"""

from __future__ import annotations

from typing import Any

from graphla.cuda.expressions.statement import translate_out_of_memory
from graphla.cuda.storage.vector_formats import to_dense
from graphla.errors import InvalidValue


class Shared:
    """A Vector shares its values as an array if all entries are present."""

    __slots__ = ()
    _store: Any
    _size: int
    nvals: Any

    @translate_out_of_memory
    def _shared(self) -> Any:
        """Return the array of values; refused unless all entries are present."""
        if self.nvals < self._size:
            raise InvalidValue(
                f"{self.nvals} of {self._size} entries exist, and an array has all: "
                "to_dense(fill_value=...) makes one"
            )
        self._store = to_dense(self._store, self._size)
        return self._store.values

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The entries as an array that shares their memory; all must be there."""
        found: dict[str, Any] = self._shared().__cuda_array_interface__
        return found

    def __dlpack__(self, **options: Any) -> Any:
        """Hand the entries on, which all must be there, as an array that shares their memory."""
        return self._shared().__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        """Return the kind and the number of the device."""
        return self._shared().__dlpack_device__()
