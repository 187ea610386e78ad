"""The kernels of element-wise operations on rows compile for a GPU."""

import graphblas as gb

from graphla.cuda import Matrix, Vector
from graphla.cuda.objects import matrix
from graphla.cuda.runtime.device import device
from tests.cuda import nvrtc
from tests.cuda.pairs import MASKS, masked
from tests.cuda.simulator import Recorder
from tests.cuda.test_ewise_csr import OPERATIONS


def test_compiles(monkeypatch):
    monkeypatch.setattr(device, "active", Recorder())
    monkeypatch.setattr("graphla.cuda.runtime.kernel._kernels", {})
    monkeypatch.setattr(matrix, "FLAT_ROWS", 0)
    A = Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 2], [1, 0, 3, 1], "INT32")
    B = Matrix.from_coo([0, 1, 2, 2], [1, 0, 0, 2], [1.5, 0, 3, 1], "FP64")
    for k, operation in enumerate(OPERATIONS.values()):
        kind = MASKS[k % len(MASKS)]
        C = Matrix.from_coo([0, 2], [2, 2], 1.5, "FP32", nrows=3)
        C(mask=masked(kind, A), accum=gb.binary.plus) << operation(A, B)
    Vector.from_coo([3, 1, 3], [1, 2, 5], dup_op="minus")
    sources = device.active.sources
    assert {"ewise_csr", "compact_flagged", "merge_structures", "fold_duplicates"} <= set(
        sources.values()
    )
    for source in sources:
        nvrtc.compile(source)
