"""C<M> = A B by dot products: for each entry (i, j) of the mask, row i of A times row j of B'.

spgemm_dot.cu has a kernel for each kind of row of A. Row i is in shared memory, and warps read
the rows j and look their columns up; or the shorter row of the two is searched in the longer one
by a thread or a warp. A sum stays in registers, and a terminal value of the monoid ends it.

The triangle counts C<L> = L plus.pair L' (dot, which needs L alone) and C<L> = L plus.pair L
(Gustavson, which needs L alone as well) read the same rows. The dot is faster: it has no atomics.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.operations.definitions import WARP, constants
from graphla.cuda.operations.spgemm.masked import GROUP, MaskedProduct
from graphla.cuda.runtime.device import BLOCK, device
from graphla.cuda.storage.csr import CSR

SHORT_ROW = 16  # entries of a row of A up to which a thread computes an entry of the mask alone
FEW_DOTS = 4  # entries of the mask's row from which row i of A is copied to shared memory
PIECE = 1024  # entries of the mask's row that a block has at a time


def multiply(A: CSR, BT: CSR, mask: CSR, text: str, zdtype: Any, position: bool) -> CSR:
    """Return C<M> = A B, given B' by rows; `position`: the values of A are read."""
    text += constants(POSITION=position, PIECE=PIECE)
    product = MaskedProduct("spgemm_dot", A, BT, mask, text, zdtype)
    xp, n = device.xp, A.nrows
    kind = xp.empty(n, np.uint8)
    product.kernel("dot_classify")(
        n, n, SHORT_ROW, FEW_DOTS, A.indptr, A.indices, mask.indptr, kind
    )
    product.run_on_pieces("dot_thread", xp.flatnonzero(kind == 1), PIECE, GROUP)
    product.run_on_pieces("dot_warp", xp.flatnonzero(kind == 2), PIECE, WARP)
    product.run_on_pieces("dot_block", xp.flatnonzero(kind == 3), PIECE, BLOCK)
    return product.result()
