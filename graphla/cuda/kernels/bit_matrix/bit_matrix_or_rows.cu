// C<M, accum, replace> = A B, Boolean; A by compressed sparse rows, B and C bit matrices: C(i, :) = OR of B(k, :) over k in A(i).
//
// Work split: 128 bits of a row of C per thread, so that the threads of a warp read consecutive parts of the same rows.
// Conflicts: none.
// Memory: reads row k of B once for each entry A(i, k), BATCH rows in flight per thread; writes C once.
#include "bits128.cuh"
enum { BATCH = 4 };  // rows of B in flight

extern "C" __global__ void bit_matrix_or_rows(i64 quads, i64 row_quads, const Offset* indptr, const Index* indices, const Bits128* b,
                                              const Bits128* old_c, const Bits128* mask, Bits128* c) {
  for (i64 q = thread(); q < quads; q += threads()) {
    i64 i = q / row_quads, row_part = q % row_quads;
    Offset end = indptr[i + 1];
    Bits128 t = Bits128();
    for (Offset p = indptr[i]; p < end; p += BATCH) {
      Bits128 parts[BATCH];
#pragma unroll
      for (int r = 0; r < BATCH; r++) parts[r] = p + r < end ? b[(i64)indices[p + r] * row_quads + row_part] : Bits128();
#pragma unroll
      for (int r = 0; r < BATCH; r++)
        for (int k = 0; k < 4; k++) t.word[k] |= parts[r].word[k];
    }
    masked_write(c, q, old_c, mask, t);
  }
}
