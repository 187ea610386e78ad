"""Write results of algorithms to files: one row per vertex, edge or pair."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.core.engines import on_host
from graphla.errors import InvalidValue

SUFFIXES = (".npz", ".csv", ".tsv")


def check_suffix(path: Any) -> None:
    """Raise InvalidValue if the suffix is not one of `SUFFIXES` or the folder does not exist."""
    if Path(path).suffix not in SUFFIXES:
        raise InvalidValue(f"{path}: the suffix of a result must be one of {', '.join(SUFFIXES)}")
    if not Path(path).parent.is_dir():
        raise InvalidValue(f"{path}: there is no folder {Path(path).parent}")


def result_columns(result: Any) -> dict[str, Any]:
    """Return a result as named NumPy columns of equal length.

    A Vector has ``vertex`` and ``value`` (entries only); a tuple of Vectors ``vertex`` and one
    column per field; a Matrix ``row``, ``column`` and, unless Boolean, ``value``; a forest the
    columns of its edges; a number one ``value``.
    """
    if hasattr(result, "edges"):
        return {name: on_host(v).to_dense() for name, v in result.edges._asdict().items()}
    if hasattr(result, "_fields"):
        vectors = {k: v for k, v in result._asdict().items() if hasattr(v, "to_coo")}
        coo = {name: on_host(v).to_coo() for name, v in vectors.items()}
        vertex = next(iter(coo.values()))[0]
        return {"vertex": vertex, **{name: values for name, (_, values) in coo.items()}}
    result = on_host(result)
    if not hasattr(result, "to_coo"):
        return {"value": np.array([result])}
    if result.ndim == 2:
        rows, cols, values = result.to_coo(values=result.dtype != "BOOL")
        return {"row": rows, "column": cols, **({} if values is None else {"value": values})}
    vertex, value = result.to_coo()
    return {"vertex": vertex, "value": value}


def write_result(path: Any, result: Any) -> None:
    """Write the columns of a result as ``.npz``, or as ``.csv`` or ``.tsv`` with a header line."""
    check_suffix(path)
    path = Path(path)
    columns = result_columns(result)
    if path.suffix == ".npz":
        np.savez_compressed(path, **columns)
        return
    separator = "," if path.suffix == ".csv" else "\t"
    size = len(next(iter(columns.values())))
    table = np.empty(size, dtype=[(name, column.dtype) for name, column in columns.items()])
    for name, column in columns.items():
        table[name] = column
    formats = ["%d" if column.dtype.kind in "iub" else "%.17g" for column in columns.values()]
    np.savetxt(
        path, table, fmt=separator.join(formats), header=separator.join(columns), comments=""
    )
