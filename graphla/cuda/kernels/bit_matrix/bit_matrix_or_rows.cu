// C<M, accum, replace> = A B, A by compressed sparse rows: row i is the OR of B's rows k in A(i).
#include "bits128.cuh"
enum { TOGETHER = 4 };  // rows that are read at a time

extern "C" __global__ void bit_matrix_or_rows(i64 quads, i64 across, const Offset* indptr, const Index* indices, const Bits128* b, const Bits128* c,
                                       const Bits128* m, Bits128* out) {
  for (i64 q = thread(); q < quads; q += threads()) {
    i64 i = q / across, w = q % across;
    Offset end = indptr[i + 1];
    Bits128 t = Bits128();
    for (Offset p = indptr[i]; p < end; p += TOGETHER) {
      Bits128 read[TOGETHER];
#pragma unroll
      for (int r = 0; r < TOGETHER; r++) read[r] = p + r < end ? b[(i64)indices[p + r] * across + w] : Bits128();
#pragma unroll
      for (int r = 0; r < TOGETHER; r++)
        for (int k = 0; k < 4; k++) t.word[k] |= read[r].word[k];
    }
    masked_write(out, q, c, m, t);
  }
}
