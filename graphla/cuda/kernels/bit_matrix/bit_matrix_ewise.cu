// C<M, accum, replace> = combine(x, y) on bit matrices, word by word; x and y may be null.
//
// Defined before: combine(x, y, one), in which `one` has the bits of all columns that exist.
// Work split: 128 bits per thread.
// Conflicts: none.
// Memory: reads each operand once, writes C once, 16 bytes at a time.
#include "bits128.cuh"

extern "C" __global__ void bit_matrix_ewise(i64 quads, i64 row_quads, i64 ncols, const Bits128* x, const Bits128* y, const Bits128* old_c,
                                            const Bits128* mask, Bits128* c) {
  for (i64 q = thread(); q < quads; q += threads()) {
    Bits128 x_bits = x ? x[q] : Bits128(), y_bits = y ? y[q] : Bits128(), t;
#pragma unroll
    for (int k = 0; k < 4; k++) {
      i64 columns = ncols - (q % row_quads * 4 + k) * 32;
      u32 one = columns >= 32 ? ~0u : columns <= 0 ? 0u : (1u << columns) - 1;
      t.word[k] = combine(x_bits.word[k], y_bits.word[k], one);
    }
    masked_write(c, q, old_c, mask, t);
  }
}
