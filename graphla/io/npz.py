"""NumPy archives (.npz) in the layout of `scipy.sparse.save_npz`, with an added array `kind`.

Archives are written without compression, at the speed of the disk, where deflate takes many times
as long: as compressed rows (CSR) or, if there are fewer entries than rows, as triples (COO).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from operator import index
from typing import Any, NoReturn

import numpy as np
import scipy.sparse as ss

from graphla.core.conversions import from_compressed_rows
from graphla.core.engines import on_host
from graphla.core.graph import Graph
from graphla.core.input_arrays import real
from graphla.core.properties import to_csr
from graphla.errors import InvalidGraph, InvalidIndex, ReadError
from graphla.io.columns import DTYPES, MAX_N, edge_columns, graph_from_columns
from graphla.io.files import atomic_writer
from graphla.io.npz_arrays import read_arrays

KINDS = ("directed", "undirected")
FORMATS = ("coo", "csr", "csc")


def read(path: Any, *, kind: str | None = None, dup: str | None = "min") -> Graph:
    """Read an .npz file; see :func:`graphla.io.read`."""
    with open(path, "rb") as file, _sparse_errors(path):
        arrays = read_arrays(path, file, {"indices": np.uint64})
        form, n = _format_of(path, arrays), _order_of(path, arrays)
        dtype = arrays["data"].dtype
        if dtype.name not in DTYPES:
            raise ReadError(path, None, f"expected data of a dtype in {DTYPES}; found {dtype}")
        found: Any = kind or _kind_of(path, arrays)
        G = _graph_of_rows(arrays, n) if form == "csr" else None
        if G is None:
            S = _checked(form, n, arrays)
    if G is None:
        src, dst, weight = S.row, S.col, S.data if dtype.kind != "b" else None
    else:
        with suppress(InvalidGraph):
            if not G.has_nan:
                return Graph(G.A, kind=found, copy=False)
        src, dst, weight = edge_columns(G)  # where `graph_from_columns` finds what is wrong

    def fail(record: int, expected: str) -> NoReturn:
        raise ReadError(path, None, expected)

    return graph_from_columns(
        src, dst, weight, n=n, kind=found, dup=dup, both_directions=True, fail=fail
    )


@contextmanager
def _sparse_errors(path: Any) -> Iterator[None]:
    """Turn whatever NumPy, SciPy and zipfile raise on a broken file into a ReadError."""
    try:
        yield
    except ReadError:
        raise
    except Exception as error:
        raise ReadError(path, None, f"expected a sparse matrix: {error}") from error


def _graph_of_rows(arrays: dict[str, Any], n: int) -> Graph | None:
    """Return the directed graph of CSR arrays, which it takes over; weights may be NaN.

    The result is None if rows are not sorted, entries occur twice or the arrays are broken.
    """
    indptr, indices, data = (arrays[name] for name in ("indptr", "indices", "data"))
    if any(x.ndim != 1 or not x.size for x in (indptr, indices, data)):
        return None
    if any(x.dtype.kind not in "iu" for x in (indptr, indices)):
        return None
    try:
        A = from_compressed_rows(indptr, indices, real(data), n, copy=False)
    except (InvalidGraph, InvalidIndex):
        return None
    return None if A is None else Graph(A, copy=False)


def _checked(form: str, n: int, arrays: dict[str, Any]) -> Any:
    """Return the matrix as triples, checked by SciPy."""
    if form == "coo":
        return ss.coo_array((arrays["data"], (arrays["row"], arrays["col"])), shape=(n, n))
    compressed: Any = ss.csr_array if form == "csr" else ss.csc_array
    S = compressed((arrays["data"], arrays["indices"], arrays["indptr"]), shape=(n, n))
    S.check_format(full_check=True)
    return S.tocoo()


def _format_of(path: Any, arrays: dict[str, Any]) -> str:
    form = arrays["format"].item()
    form = form.decode("ascii") if isinstance(form, bytes) else form
    if form not in FORMATS:
        raise ReadError(path, None, f"expected format in {FORMATS}; found {form}")
    return form


def _order_of(path: Any, arrays: dict[str, Any]) -> int:
    shape = tuple(index(x) for x in arrays["shape"])
    if len(shape) != 2 or shape[0] != shape[1] or not 0 <= shape[0] <= MAX_N:
        raise ReadError(path, None, f"expected a square matrix; found {shape}")
    return shape[0]


def _kind_of(path: Any, arrays: dict[str, Any]) -> str:
    """Return the array `kind`; a file written by SciPy has none and is read as directed."""
    kind = str(arrays["kind"].item()) if "kind" in arrays else "directed"
    if kind not in KINDS:
        raise ReadError(path, None, f"expected kind in {KINDS}; found {kind!r}")
    return kind


def write(path: Any, G: Graph) -> None:
    """Write an .npz file; see :func:`graphla.io.write`."""
    A = on_host(G.A)
    if A.nrows < A.nvals:
        indptr, indices, values = to_csr(A)
        arrays: dict[str, Any] = {"format": np.array(b"csr"), "indptr": indptr, "indices": indices}
    else:  # row numbers take less room than offsets of rows
        rows, columns, values = A.to_coo()
        dtype = np.int32 if G.n <= np.iinfo(np.int32).max else np.int64
        row, col = rows.astype(dtype), columns.astype(dtype)
        arrays = {"format": np.array(b"coo"), "row": row, "col": col}
    arrays["data"] = np.ones(A.nvals, bool) if values is None else values
    arrays |= {"shape": np.array([G.n, G.n]), "_is_array": np.array(True)}
    with atomic_writer(path) as file:
        np.savez(file, kind=np.array(G.kind), **arrays)
