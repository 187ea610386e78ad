"""Objects as dicts of arrays, and back."""

import numpy as np
import pytest

from graphla import cuda
from graphla.cuda.objects.exchange import MATRIX_FORMATS, VECTOR_FORMATS
from graphla.cuda.runtime.device import device
from graphla.errors import DomainMismatch, InvalidValue
from tests.cuda.object_pairs import pair

MATRIX = ((3, 2), [(0, 1), (2, 0)], [5, 6], "INT64")


@pytest.mark.parametrize("form", MATRIX_FORMATS)
def test_a_matrix_there_and_back(form):
    A, B = pair(*MATRIX)
    if form.startswith("full"):
        with pytest.raises(InvalidValue):
            A.ss.export(form)
        A(~A.S) << 1
        B(~B.S) << 1
    ours, theirs = A.ss.export(form), B.ss.export(form, sort=True)
    for name, x in theirs.items():
        if isinstance(x, np.ndarray) and not form.startswith(("bitmap", "cooc")):
            np.testing.assert_array_equal(device.to_host(ours[name]), x)
    assert cuda.Matrix.ss.import_any(**ours).isequal(A, check_dtype=True)
    assert getattr(cuda.Matrix.ss, f"import_{form}")(**ours).isequal(A)
    del ours["format"]
    assert cuda.Matrix.ss.import_any(**ours).isequal(A)


@pytest.mark.parametrize("form", VECTOR_FORMATS)
def test_a_vector_there_and_back(form):
    v = cuda.Vector.from_coo([0, 1, 2] if form == "full" else [0, 2], 3, size=3)
    found = v.ss.export(form)
    assert cuda.Vector.ss.import_any(**found).isequal(v, check_dtype=True)
    assert getattr(cuda.Vector.ss, f"import_{form}")(**found).isequal(v)


def test_refused():
    v = cuda.Vector.from_coo([0, 2], 3, size=3)
    with pytest.raises(InvalidValue, match="format"):
        v.ss.export("csr")
    found = v.ss.export()
    with pytest.raises(DomainMismatch, match="one format"):
        cuda.Vector.ss.import_any(**{**found, "format": None, "bitmap": np.ones(3, bool)})
    with pytest.raises(InvalidValue, match="format"):
        cuda.Vector.ss.import_full(**found)
