"""Every kernel of the sparse product compiles for a GPU, with each semiring of the tests."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.cuda.operations.definitions import typedefs
from graphla.cuda.operations.spgemm.dispatch import Operands
from graphla.cuda.runtime.kernel_text import source
from graphla.cuda.storage.csr import CSR
from tests.cuda import nvrtc
from tests.cuda.semirings import NATIVE, TEXT

THREADS = "GROUP = 8, BLOCK = 256"
FILES = {
    "spgemm_work": [""],
    "spgemm_copy_rows": [""],
    "spgemm_hash_global": [f"enum {{ MASK = {m}, CHUNK = 4096 }};" for m in range(3)],
    "spgemm_hash": [
        f"struct {team}; typedef {team} Team; enum {{ MASK = {m}, BLOCK_WARPS = 8 }};"
        for team in ("WarpTeam", "BlockTeam")
        for m in range(3)
    ],
    "spgemm_dot": [
        f"enum {{ POSITION = {p}, PIECE = 1024, MAX_HASHED = 1536, {THREADS} }};" for p in (0, 1)
    ],
    "spgemm_masked": [f"enum {{ POSITION = 1, PIECE = 1536, MAX_HASHED = 1536, {THREADS} }};"],
    "csr_compact": [""],
}
SOME = [("plus_times", "FP32"), ("any_pair", "BOOL")]  # all definitions; of the others the last


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize(
    ("name", "dtype", "word"),
    [(*key, np.int32) for key in TEXT] + [(*key, np.int64) for key in SOME],
)
def test_compiles(file, name, dtype, word):
    text, zdtype, uses = TEXT[name, dtype]
    M = CSR(np.zeros(1, word), np.zeros(0, word), np.zeros(2, zdtype), 0)
    operands = Operands(M, M, None, text, uses, NATIVE.get((name, dtype), ""), M, zdtype)
    text = operands.definitions(M) + typedefs(COffset=word)
    if file == "csr_compact":
        text += typedefs(Value=np.dtype(zdtype))
    variants = FILES[file] if (name, dtype) in SOME else FILES[file][-1:]
    for more in variants:
        nvrtc.compile(source(file, text + more + "\n"))
