// C<M, accum, replace> = T, word by word. A call defines `combine(x, y, one)`, one having a bit for each
// column that there is; x and y may be null.
#include "bits128.cuh"

extern "C" __global__ void bit_matrix_ewise(i64 quads, i64 across, i64 ncols, const Quad* x, const Quad* y, const Quad* c, const Quad* m,
                                       Quad* out) {
  for (i64 q = thread(); q < quads; q += threads()) {
    Quad a = x ? x[q] : Quad(), b = y ? y[q] : Quad(), t;
#pragma unroll
    for (int k = 0; k < 4; k++) {
      i64 left = ncols - (q % across * 4 + k) * 32;
      u32 one = left >= 32 ? ~0u : left <= 0 ? 0u : (1u << left) - 1;
      t.word[k] = combine(a.word[k], b.word[k], one);
    }
    write(out, q, c, m, t);
  }
}
