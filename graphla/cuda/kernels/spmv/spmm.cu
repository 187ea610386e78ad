// C = F B  for a bitmap or full F with few rows:  C(s,j) = sum over k of F(s,k) * B(k,j), with B given by the rows of B'.
//
// Work split: a thread per entry of C. Neighbouring threads take the same row j of B' and successive rows of F, so that a
// warp reads B' once. Conflicts: none but for the presence bits, which are set by atomics.
// Memory: reads row j of B' for each row of F, until the sum is decided; reads F at random; writes C's entries and bits.
#include "bits.cuh"
#include "monoid.cuh"
extern "C" __global__ void spmm(i64 f_nrows, i64 ncols, i64 inner, const F* f_values, const u32* f_bits, const Offset* row_offsets,
                                const Index* columns, const B* b_values, Z* c_values, u32* c_bits) {
  for (i64 t = thread(); t < f_nrows * ncols; t += threads()) {
    i64 s = t % f_nrows, j = t / f_nrows;
    bool has_value = false;
    Z sum = Add::identity();
    for (i64 p = row_offsets[j]; p < row_offsets[j + 1] && !(has_value && Add::done(sum)); p++) {
      i64 k = columns[p], q = s * inner + k;
      if (!has(f_bits, q)) continue;
      typedef typename Multiply::X X;
      typedef typename Multiply::Y Y;
      accumulate(has_value, sum, (Z)Multiply::of(USES_F ? cast<X>(f_values[q]) : X(), USES_B ? cast<Y>(b_values[B_ISO ? 0 : p]) : Y(), s, k, k, j));
    }
    if (!has_value) continue;
    c_values[s * ncols + j] = sum;
    set(c_bits, s * ncols + j);
  }
}
