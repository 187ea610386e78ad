// C<M, accum, replace> = T, word by word. A call defines `combine(x, y, one)`, one having a bit for each
// column that there is; x and y may be null.
#include "bits128.cuh"

extern "C" __global__ void bit_matrix_ewise(i64 quads, i64 across, i64 ncols, const Bits128* x, const Bits128* y, const Bits128* c, const Bits128* m,
                                       Bits128* out) {
  for (i64 q = thread(); q < quads; q += threads()) {
    Bits128 a = x ? x[q] : Bits128(), b = y ? y[q] : Bits128(), t;
#pragma unroll
    for (int k = 0; k < 4; k++) {
      i64 left = ncols - (q % across * 4 + k) * 32;
      u32 one = left >= 32 ? ~0u : left <= 0 ? 0u : (1u << left) - 1;
      t.word[k] = combine(a.word[k], b.word[k], one);
    }
    masked_write(out, q, c, m, t);
  }
}
