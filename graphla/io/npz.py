"""NumPy archives (.npz) in the layout of `scipy.sparse.save_npz`, with an added array `kind`.

Archives are written without compression, at the speed of the disk, where deflate takes many times
as long: as compressed rows (CSR) or, if there are fewer entries than rows, as triples (COO).
"""

from __future__ import annotations

import math
import zipfile
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import scipy.sparse as ss

from graphla.core.engines import on_host
from graphla.core.graph import Graph
from graphla.core.properties import to_csr
from graphla.errors import InvalidGraph, ReadError
from graphla.io.columns import DTYPES, MAX_N, graph_from_columns
from graphla.io.files import atomic_writer

KINDS = ("directed", "undirected")
FORMATS = ("coo", "csr", "csc")
MAX_EXPANSION = 1032  # largest ratio of decompressed to compressed size of deflate


def read(path: Any, *, kind: str | None = None, dup: str | None = "min") -> Graph:
    """Read an .npz file; see :func:`graphla.io.read`."""
    with open(path, "rb") as file:
        try:
            _check_sizes(path, file)
            S: Any = ss.load_npz(file)
            stored_kind = _read_kind(path, file)
            if S.format not in FORMATS:
                raise ReadError(path, None, f"expected format in {FORMATS}; found {S.format}")
            if S.format != "coo":
                S.check_format(full_check=True)
        except ReadError:
            raise
        except Exception as error:  # whatever NumPy, SciPy and zipfile raise on a broken file
            raise ReadError(path, None, f"expected a sparse matrix: {error}") from error
    if S.shape[0] != S.shape[1] or S.shape[0] > MAX_N:
        raise ReadError(path, None, f"expected a square matrix; found {S.shape}")
    if S.dtype.name not in DTYPES:
        raise ReadError(path, None, f"expected data of a dtype in {DTYPES}; found {S.dtype}")

    kind = kind or stored_kind
    if S.format == "csr" and S.has_canonical_format and (G := _graph_of_rows(S, kind)):
        return G

    def fail(record: int, expected: str) -> NoReturn:
        raise ReadError(path, None, expected)

    S = S.tocoo()
    weight = None if S.dtype == bool else S.data
    return graph_from_columns(
        S.row, S.col, weight, n=S.shape[0], kind=kind, dup=dup, both_directions=True, fail=fail
    )


def _graph_of_rows(S: Any, kind: Any) -> Graph | None:
    """Return the graph of a CSR matrix without duplicates; None if it violates a rule.

    The caller then finds the entry for its message.
    """
    if S.dtype == bool:
        S.data[:] = True  # an entry is an edge, whatever its value
    try:
        G = Graph(S, kind=kind)
    except InvalidGraph:
        return None
    return None if G.has_nan else G


def _check_sizes(path: Any, file: Any) -> None:
    """Raise ReadError, before memory is allocated, if an array is larger than the file allows."""
    total = Path(path).stat().st_size
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            if member.compress_size > total or member.file_size > MAX_EXPANSION * (total + 1):
                raise ReadError(path, None, f"expected {member.filename} to fit in the file")
            with archive.open(member) as array:
                version = np.lib.format.read_magic(array)
                if version != (1, 0):
                    raise ReadError(path, None, f"expected .npy version 1.0; found {version}")
                shape, _, dtype = np.lib.format.read_array_header_1_0(array)
                claimed = math.prod(shape) * dtype.itemsize
                if dtype.hasobject or claimed != member.file_size - array.tell():
                    raise ReadError(path, None, f"expected {member.filename} of another size")
    file.seek(0)


def _read_kind(path: Any, file: Any) -> str:
    """Return the array `kind`; a file written by SciPy has none and is read as directed."""
    file.seek(0)
    with np.load(file, allow_pickle=False) as archive:
        kind = str(archive["kind"].item()) if "kind" in archive else "directed"
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
