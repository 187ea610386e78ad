"""The entries of a Matrix as arrays of the device."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda import resolve
from graphla.cuda.axis import axes
from graphla.cuda.device import device
from graphla.cuda.operands import filler
from graphla.cuda.operations import regions
from graphla.cuda.running import refusing
from graphla.cuda.storage import to_sparse
from graphla.errors import InvalidValue


class Values:
    """What gives the entries of a Matrix out."""

    __slots__ = ()
    dtype: Any
    nvals: int
    shape: Any
    _positions: int
    _csr: Any
    _flat: Any

    @refusing
    def to_coo(
        self, dtype: Any = None, *, rows: Any = True, columns: bool = True, values: bool = True,
        sort: bool = True,
    ) -> tuple[Any, Any, Any]:  # fmt: skip
        """Return rows, columns (int64, in order) and values as arrays of the device.

        `rows`, `columns` and `values` say which of them; a list of rows as `rows` also leaves
        out the entries of all others, the list giving the order.
        """
        found, listed = self, None
        if not isinstance(rows, (bool, np.bool_)) and rows is not None:
            P, Q = axes((rows, slice(None)), self.shape)
            found, listed = regions.extracted(self, (P._replace(single=False), Q)), P.list()
        A = found._csr()
        np_type = resolve.dtype(dtype or self.dtype).np_type
        row = A.rows() if listed is not None or rows else None
        row = row if listed is None else listed[row]
        return (
            None if row is None else row.astype(np.int64),
            A.indices.astype(np.int64) if columns else None,
            A.expanded().astype(np_type, copy=not A.iso) if values else None,
        )

    @refusing
    def to_csr(self, dtype: Any = None, *, sort: bool = True) -> tuple[Any, Any, Any]:
        """Return indptr, indices and values as arrays of the device, copies."""
        A = self._csr()
        values = A.expanded().astype(resolve.dtype(dtype or self.dtype).np_type, copy=not A.iso)
        return A.indptr.copy(), A.indices.copy(), values

    @refusing
    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> Any:
        """Return a 2-D array of the device; `fill_value` stands for no entry."""
        if fill_value is None and self.nvals < self._positions:
            raise InvalidValue(
                f"{self.nvals} of {self._positions} entries exist: give a fill_value"
            )
        np_type = resolve.dtype(dtype or self.dtype).np_type
        fill, np_type = filler(fill_value, np_type, dtype)
        out = device.xp.full(self._positions, fill, np_type)
        keys, values = to_sparse(self._flat(), self._positions).arrays()
        out[keys] = values
        return out.reshape(self.shape)
