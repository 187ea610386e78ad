"""Matrix Market files (.mtx): real matrices, coordinate or array.

Source: Boisvert, Pozo, Remington, The Matrix Market Exchange Formats, NISTIR 5935 (1996).
"""

from __future__ import annotations

from itertools import chain
from typing import Any, NoReturn

import numpy as np

from graphla.core.graph import Graph
from graphla.io.columns import edge_columns, graph_from_columns, weight_dtype
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


def read(path: Any, *, kind: str | None = None, dup: str | None = None, dtype: Any = None) -> Graph:
    """Read a Matrix Market file; see :func:`graphla.io.read`."""
    dtype = weight_dtype(dtype)
    file = TextFile(path, b"%")
    layout, field, symmetry = _banner(file)
    n, count = _sizes(file, layout)
    default_dtype = FIELDS[field]
    if field != "pattern":
        dtype = file.dtype(dtype, default_dtype)
    elif dtype is not None and dtype.kind != "b":
        raise file.error(1, f"expected weights of dtype {dtype}; a pattern matrix has none")
    scanned_dtype = dtype if field == "real" and dtype.kind == "f" else default_dtype
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
    weight = None if field == "pattern" else record_weights(records, dtype)
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
    return G if built_kind == result_kind else Graph(G.A, kind="directed", copy=False)


def _banner(file: TextFile) -> tuple[str, str, str]:
    """Return the layout, the field and the symmetry of the first line."""
    words = file.header(f"'{BANNER}'", marks=b"")
    lower = [word.lower() for word in words]
    if words[0] != "%%MatrixMarket" or len(words) != 5 or lower[1] != "matrix":
        raise file.error(1, f"expected '{BANNER}'; found {' '.join(words)[:80]!r}")
    layout, field, symmetry = lower[2:]
    for word, known in ((layout, FORMATS), (field, tuple(FIELDS)), (symmetry, SYMMETRIES)):
        if word not in known:
            raise file.error(1, f"expected one of {known} in the banner; found {word[:80]!r}")
    if field == "pattern" and (layout == "array" or symmetry in SYMMETRIES[2:]):
        raise file.error(1, f"expected values in a matrix ({layout} {symmetry}); found pattern")
    return layout, field, symmetry


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
        raise file.error(line, f"expected a square matrix; found {sizes[0]} x {sizes[1]}")
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
