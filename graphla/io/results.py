"""Write results of algorithms to files: one row per vertex, edge or pair."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.core.engines import on_host
from graphla.core.results import (
    NO_PREDECESSOR,
    Edges,
    Forest,
    Paths,
    Result,
    Triangles,
    is_unreached,
)
from graphla.core.validation import full_name
from graphla.errors import DomainMismatch, InvalidValue
from graphla.io.files import atomic_writer, split_suffix, write_pieces
from graphla.suggestions import conversion

if TYPE_CHECKING:
    from collections.abc import Iterator

SEPARATORS = {".csv": ",", ".tsv": "\t"}
SUFFIXES = (".npz", *SEPARATORS)
CHUNK = 1 << 16  # rows


def check_suffix(path: Any) -> None:
    """Raise InvalidValue if the suffix is not one of `SUFFIXES` or the folder does not exist."""
    suffix, compression = split_suffix(path)
    if suffix not in SEPARATORS and (suffix != ".npz" or compression):
        raise InvalidValue(
            f"{path}: the suffix of a result must be one of {', '.join(SUFFIXES)} "
            "(.csv and .tsv optionally followed by .gz or .zst)"
        )
    if not Path(path).parent.is_dir():
        raise InvalidValue(f"{path}: there is no folder {Path(path).parent}")


def is_result(x: Any) -> bool:
    """Whether `x` is what an algorithm returns: a Result, a Vector, a Matrix or a number."""
    is_number = isinstance(x, (int, float, np.generic))
    is_stored = hasattr(x, "to_coo") and hasattr(x, "nvals")
    return isinstance(computed(x), Result) or is_stored or is_number


def computed(x: Any) -> Any:
    """Return a result, with all fields computed if they are so on first use (`Undone`)."""
    return x.new() if hasattr(x, "_fields") and hasattr(x, "new") else x


def result_columns(result: Any) -> dict[str, Any]:
    """Return a result as named NumPy columns of equal length.

    A Vector has ``vertex`` and ``value`` (entries only); a Result of Vectors ``vertex`` and one
    column per field, one of Matrices ``row`` and ``column``; a Matrix ``row``, ``column`` and,
    unless Boolean, ``value``; edges, triangles and a forest the columns of their edges or
    triangles; a number one ``value``. A Result of arrays has the rows of the one it was made from.
    Anything else raises DomainMismatch.
    """
    if not is_result(result):
        advice = f"; {way}" if (way := conversion(result, "x")) else ""
        raise DomainMismatch(f"expected a result of an algorithm, not {full_name(result)}{advice}")
    result = computed(result)
    if isinstance(result, Forest):
        result = result.edges
    if isinstance(result, (Edges, Triangles)):
        return dict(zip(result._fields, result.to_numpy(), strict=True))
    if isinstance(result, Result):
        return _columns_of_fields(result)
    result = on_host(result)
    if not hasattr(result, "to_coo"):
        return {"value": np.array([result])}
    if result.ndim == 2:
        rows, cols, values = result.to_coo(values=result.dtype != "BOOL")
        return {"row": rows, "column": cols, **({} if values is None else {"value": values})}
    vertex, value = result.to_coo()
    return {"vertex": vertex, "value": value}


def _columns_of_fields(result: Any) -> dict[str, Any]:
    """Return the columns of the fields that are Vectors, Matrices or arrays, without numbers."""
    named = zip(result._fields, result, strict=True)
    fields = {name: value for name, value in named if getattr(value, "shape", ())}
    first = next(iter(fields.values()))
    if isinstance(first, np.ndarray):
        has_value = np.full(first.shape, True)
        if isinstance(result, Paths):
            has_value = ~is_unreached(*result)
        index = np.nonzero(has_value)
        columns = {name: value[index] for name, value in fields.items()}
        if isinstance(result, Paths):
            parent = columns["parent"]
            is_source = parent == NO_PREDECESSOR
            columns["parent"] = np.where(is_source, index[-1].astype(parent.dtype), parent)
    else:
        coo = {name: on_host(value).to_coo() for name, value in fields.items()}
        *index, _ = next(iter(coo.values()))
        columns = {name: values for name, (*_, values) in coo.items()}
    names = ("vertex",) if len(index) == 1 else ("row", "column")
    return dict(zip(names, index, strict=True)) | columns


def write_result(path: Any, result: Any) -> None:
    """Write the columns of a result as ``.npz``, or as ``.csv`` or ``.tsv`` with a header line."""
    check_suffix(path)
    columns = result_columns(result)
    suffix, _ = split_suffix(path)
    if suffix == ".npz":
        with atomic_writer(path) as file:
            np.savez(file, **columns)
        return
    separator = SEPARATORS[suffix]
    head = separator.join(columns) + "\n"
    write_pieces(path, chain([head.encode()], _rows(columns, separator)))


def _rows(columns: dict[str, Any], separator: str) -> Iterator[bytes]:
    """Yield the text of the rows; a float is the shortest decimal that reads back the same."""
    arrays = [x.astype(np.uint8) if x.dtype == bool else x for x in columns.values()]
    for start in range(0, arrays[0].size, CHUNK):
        texts = (map(repr, x[start : start + CHUNK].tolist()) for x in arrays)
        yield "".join(f"{separator.join(row)}\n" for row in zip(*texts, strict=True)).encode()
