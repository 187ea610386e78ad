"""Matrix Market files (.mtx): real matrices, coordinate or array.

LAGraph's line ``%%GraphBLAS type int8_t`` after the banner is the dtype of the values. Those of a
pattern are then 1, unless the type is bool.

Source: Boisvert, Pozo, Remington, The Matrix Market Exchange Formats, NISTIR 5935 (1996).
"""

from __future__ import annotations

from itertools import chain
from typing import Any, NoReturn

import numpy as np

from graphla.core.graph import Graph
from graphla.errors import ReadError
from graphla.io.columns import edge_columns, graph_from_columns, weight_dtype, with_kind
from graphla.io.files import write_pieces
from graphla.io.metadata import metadata_line
from graphla.io.text_reader import FLOAT64, INT64, UINT64, Records, TextFile, record_weights
from graphla.io.text_writer import format_records

BANNER = "%%MatrixMarket matrix coordinate|array pattern|integer|real general|symmetric"
FORMATS = ("coordinate", "array")
FIELDS = {  # name: default dtype
    "pattern": np.dtype(bool),
    "integer": INT64,
    "unsigned-integer": UINT64,  # SciPy's extension of the format
    "real": FLOAT64,
}
SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")
TYPE_MARK = (
    "%%graphblas"  # second line of files of LAGraph and SuiteSparse: the dtype of the values
)
INTEGER_TYPES = tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
GRAPHBLAS_TYPES = {  # C type, or name of the GraphBLAS type in lower case: dtype
    "bool": "bool",
    "grb_bool": "bool",
    **{f"{name}_t": name for name in INTEGER_TYPES},
    **{f"grb_{name}": name for name in INTEGER_TYPES},
    "float": "float32",
    "grb_fp32": "float32",
    "double": "float64",
    "grb_fp64": "float64",
}
COMPLEX_TYPES = ("float complex", "double complex", "gxb_fc32", "gxb_fc64")


def read(
    path: Any, *, kind: str | None = None, dup: str | None = "min", dtype: Any = None
) -> Graph:
    """Read a Matrix Market file; see :func:`graphla.io.read`."""
    dtype = weight_dtype(dtype)
    file = TextFile(path, b"%")
    layout, field, symmetry = _banner(file)
    stored_dtype = _graphblas_type(file) or FIELDS[field]
    n, count = _sizes(file, layout)
    if field != "pattern":
        dtype = file.dtype(dtype, stored_dtype)
    elif dtype is None:
        dtype = stored_dtype
    elif dtype.kind != "b" and stored_dtype.kind == "b":
        raise file.error(1, f"expected weights of dtype {dtype}; a pattern matrix has none")
    scanned_dtype = FIELDS[field]
    if (field == "real" and dtype.kind == "f") or (field == "integer" and dtype == UINT64):
        scanned_dtype = dtype
    if layout == "array":
        records = _scan_array(file, n, symmetry, scanned_dtype)
    else:
        value = "" if field == "pattern" else f" and a value ({field})"
        records = file.table(
            f"row and column in 1..{n}{value}", vertices=2, values=int(field != "pattern"),
            count=count, n=n, base=1, dtype=scanned_dtype,
        )  # fmt: skip
    if symmetry == "skew-symmetric":
        records = _add_negated_reverse(records)
    (src, dst), fail = records.index, records.fail
    if field != "pattern":
        weight = record_weights(records, dtype)
    else:
        weight = None if dtype.kind == "b" else np.ones(src.size, dtype)
    mirrored = symmetry in ("symmetric", "hermitian")
    if kind == "undirected" and symmetry == "skew-symmetric":
        raise file.error(
            1, "expected a symmetric matrix for kind='undirected'; found skew-symmetric"
        )
    # the file holds one triangle of a symmetric matrix: build it undirected in any case
    result_kind = kind or ("undirected" if mirrored else "directed")
    built_kind = "undirected" if mirrored else result_kind
    G = graph_from_columns(
        src, dst, weight, n=n, kind=built_kind, dup=dup, both_directions=not mirrored, fail=fail
    )
    return G if built_kind == result_kind else with_kind(G, "directed", src, dst)


def _banner(file: TextFile) -> tuple[str, str, str]:
    """Return the layout, the field and the symmetry of the first line."""
    words = file.header(f"'{BANNER}'", marks=b"")
    lower = [word.lower() for word in words]
    if words[0] != "%%MatrixMarket" or len(words) != 5 or lower[1] != "matrix":
        raise file.error(1, f"expected '{BANNER}'; found {' '.join(words)[:80]!r}")
    layout, field, symmetry = lower[2:]
    if field == "complex":
        raise _complex_error(file, 1)
    for word, known in ((layout, FORMATS), (field, tuple(FIELDS)), (symmetry, SYMMETRIES)):
        if word not in known:
            raise file.error(1, f"expected one of {known} in the banner; found {word[:80]!r}")
    if field == "pattern" and (layout == "array" or symmetry in SYMMETRIES[2:]):
        raise file.error(1, f"expected values in a matrix ({layout} {symmetry}); found pattern")
    return layout, field, symmetry


def _graphblas_type(file: TextFile) -> np.dtype | None:
    """Return the dtype that the second line names, None if it is another line."""
    mark, _, rest = file.next_line().strip().lower().partition(" ")
    if mark != TYPE_MARK:
        return None
    name = " ".join(rest.split()).removeprefix("type ")
    if name in COMPLEX_TYPES:
        raise _complex_error(file, file.line)
    if name not in GRAPHBLAS_TYPES:
        raise file.error(
            file.line, f"expected '%%GraphBLAS type bool|int8_t|...|double'; found {rest[:80]!r}"
        )
    return np.dtype(GRAPHBLAS_TYPES[name])


def _complex_error(file: TextFile, line: int) -> ReadError:
    return file.error(line, "expected a real matrix; this one is complex: weights are real")


def _sizes(file: TextFile, layout: str) -> tuple[int, int]:
    """Return n and, for a coordinate matrix, the number of entries."""
    names = ("rows", "columns", "entries")[: 3 if layout == "coordinate" else 2]
    words = file.header(f"a line with the numbers of {', '.join(names)}")
    line = file.line - 1
    if len(words) != len(names):
        raise file.error(line, f"expected {', '.join(names)}; found {len(words)} words")
    sizes = [
        file.count(word, f"number of {name}", line) for word, name in zip(words, names, strict=True)
    ]
    if sizes[0] != sizes[1]:
        raise file.error(
            line,
            f"expected a square matrix; this one is rectangular, {sizes[0]} x {sizes[1]}: the rows "
            "and columns of a graph are the same vertices",
        )
    return sizes[0], sizes[-1]


def _scan_array(file: TextFile, n: int, symmetry: str, dtype: np.dtype) -> Records:
    """Scan a dense matrix, stored column by column, and return its non-zeros."""
    diagonal = 1 if symmetry == "skew-symmetric" else 0
    size = n * n if symmetry == "general" else n * (n + 1) // 2 - diagonal * n
    _, values, fail = file.table("one value", vertices=0, values=1, count=size, dtype=dtype)
    if symmetry == "general":
        cols, rows = np.divmod(np.arange(size), max(n, 1))
    else:
        cols, rows = np.triu_indices(n, diagonal)
    (nonzero,) = np.nonzero(values[0])

    def fail_at_nonzero(record: int, expected: str) -> NoReturn:
        fail(int(nonzero[record]), expected)

    return Records(np.stack([rows[nonzero], cols[nonzero]]), values[:, nonzero], fail_at_nonzero)


def _add_negated_reverse(records: Records) -> Records:
    """Add the entry (j, i, -w) for each entry (i, j, w) of a skew-symmetric matrix."""
    (src, dst), (values,), fail = records
    loops = np.flatnonzero(src == dst)
    if loops.size:
        fail(int(loops[0]), "expected no entry on the diagonal of a skew-symmetric matrix")
    # the smallest integer of a dtype equals its own negative
    no_negative = np.flatnonzero((values == -values) & (values != 0))
    if no_negative.size or values.dtype.kind == "u":
        record = int(no_negative[0]) if no_negative.size else 0
        fail(record, "expected a value whose negative has the same dtype")

    def fail_at_original(record: int, expected: str) -> NoReturn:
        fail(record % values.size, expected)

    index = np.stack([np.concatenate([src, dst]), np.concatenate([dst, src])])
    return Records(index, np.concatenate([values, -values])[None], fail_at_original)


def write(path: Any, G: Graph) -> None:
    """Write a Matrix Market file; see :func:`graphla.io.write`."""
    rows, cols, weight = edge_columns(G, "lower")
    dtype = G.dtype.np_type
    field = next((name for name, default in FIELDS.items() if default == dtype), None)
    field = field or ("real" if dtype.kind == "f" else "integer")
    symmetry = "symmetric" if G.kind == "undirected" else "general"
    head = f"%%MatrixMarket matrix coordinate {field} {symmetry}\n"
    head += metadata_line("%", G, dtype=FIELDS[field].name) + f"{G.n} {G.n} {rows.size}\n"
    write_pieces(path, chain([head.encode()], format_records((rows, cols), weight, base=1)))
