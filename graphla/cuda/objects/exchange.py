"""``x.ss.export`` and ``ss.import_any``: an object as a dict of arrays of the device, and back.

The names of formats and arrays are SuiteSparse's. Arrays are copies: nothing is handed over.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.expressions.array_arguments import as_array
from graphla.cuda.expressions.statement import OUTPUTS, translate_out_of_memory
from graphla.cuda.runtime.device import device
from graphla.errors import DomainMismatch, InvalidValue

VECTOR_FORMATS = ("sparse", "bitmap", "full")
MATRIX_FORMATS = (
    "csr", "csc", "hypercsr", "hypercsc", "coo", "coor", "cooc", "bitmapr", "bitmapc", "fullr",
    "fullc",
)  # fmt: skip
OPTIONS = (  # of python-graphblas, about who owns the arrays and how they are stored
    "take_ownership", "is_iso", "sorted_index", "sorted_rows", "sorted_cols", "secure_import",
    "nvals", "nvec",
)  # fmt: skip


@translate_out_of_memory
def exported(x: Any, form: Any) -> dict[str, Any]:
    """Return the entries of x in a format."""
    formats = VECTOR_FORMATS if x.ndim == 1 else MATRIX_FORMATS
    form = formats[0] if form is None else form
    if form not in formats:
        raise InvalidValue(f"format {form!r} is not one of {', '.join(formats)}")
    found = {"format": form} | _arrays(x, form)
    if form.startswith(("bitmap", "full")):
        return found
    names = ("size",) if x.ndim == 1 else ("nrows", "ncols")
    return found | dict(zip(names, x.shape, strict=True))


def _arrays(x: Any, form: str) -> dict[str, Any]:
    if form.startswith("full"):
        if x.nvals < np.prod(x.shape):
            raise InvalidValue(f"{x.nvals} of {x.shape} entries exist, and {form!r} has all")
        return {"values": _by_column(x.to_dense(), form)}
    if form.startswith("bitmap"):
        bitmap = x.apply("one").new(bool).to_dense(fill_value=False)
        values = x.to_dense(fill_value=0, dtype=x.dtype)
        arrays = {"bitmap": _by_column(bitmap, form), "values": _by_column(values, form)}
        return arrays | {"nvals": x.nvals}
    if form == "sparse":
        return dict(zip(("indices", "values"), x.to_coo(), strict=True))
    if form.startswith("coo"):
        return dict(zip(("rows", "cols", "values"), x.to_coo(), strict=True))
    names: tuple[str, ...] = ("indptr", "col_indices" if form.endswith("csr") else "row_indices")
    if form.startswith("hyper"):
        names = ("rows" if form.endswith("csr") else "cols", *names)
    method = f"to_{form.replace('hyper', 'd')}"
    return dict(zip((*names, "values"), getattr(x, method)(), strict=True))


def _by_column(values: Any, form: str) -> Any:
    """Return a 2-D array stored by columns if the format is."""
    return device.xp.asfortranarray(values) if form.endswith("c") else values


@translate_out_of_memory
def imported(ndim: int, form: Any, arrays: dict[str, Any]) -> Any:
    """Return an object of the arrays of a format, which may be inferred from their names."""
    arrays = {k: v for k, v in arrays.items() if v is not None and k not in OPTIONS}
    name, dtype, stated = (arrays.pop(key, None) for key in ("name", "dtype", "format"))
    form = form or stated or _inferred(ndim, arrays)
    if form not in (VECTOR_FORMATS if ndim == 1 else MATRIX_FORMATS) or stated not in (None, form):
        raise InvalidValue(f"format {stated or form!r} is not that of these arrays")
    make: Any = OUTPUTS[ndim]
    if form in ("coo", "coor", "cooc"):
        return make.from_coo(
            arrays.pop("rows"), arrays.pop("cols"), dtype=dtype, name=name, **arrays
        )
    if form == "sparse":
        return make.from_coo(dtype=dtype, name=name, **arrays)
    if not form.startswith(("bitmap", "full")):
        compressed = {"rows": "compressed_rows", "cols": "compressed_cols"}
        arrays = {compressed.get(k, k): v for k, v in arrays.items()}
        return getattr(make, f"from_{form.replace('hyper', 'd')}")(dtype=dtype, name=name, **arrays)
    values = device.xp.asarray(as_array(arrays.pop("values"), "values"))
    if ndim == 2 and values.ndim == 1:
        nrows, ncols = arrays.pop("nrows"), arrays.pop("ncols")
        values = values[: nrows * ncols].reshape(nrows, ncols, order=_order(form))
    x = make.from_dense(values, dtype=dtype, name=name)
    if (bitmap := arrays.pop("bitmap", None)) is None:
        return x
    bits = device.xp.asarray(as_array(bitmap, "bitmap")).astype(bool)
    bits = bits.reshape(values.shape, order=_order(form)) if bits.ndim < values.ndim else bits
    x(make.from_dense(bits).V, replace=True) << x
    return x


def _order(form: str) -> Any:
    return "F" if form.endswith("c") else "C"


def _inferred(ndim: int, arrays: dict[str, Any]) -> str:
    """Return the format that has arrays of these names."""
    if "bitmap" in arrays and ("indices" in arrays or "indptr" in arrays):
        raise DomainMismatch("give the arrays of one format: bitmap and indices are of two")
    if ndim == 1:
        return "bitmap" if "bitmap" in arrays else "sparse" if "indices" in arrays else "full"
    if "indptr" in arrays:
        hyper = "hyper" if "rows" in arrays or "cols" in arrays else ""
        return f"{hyper}{'csr' if 'col_indices' in arrays else 'csc'}"
    if "rows" in arrays:
        return "coo"
    return "bitmapr" if "bitmap" in arrays else "fullr"
