// out(i) = x(i), or `fill` if x, a bitmap or full, has no entry at i.
//
// Work split: one position per thread.
// Conflicts: none.
// Memory: reads x's bits and present values; writes all values.
#include "bits.cuh"
extern "C" __global__ void fill_missing(i64 n, const V* x, const u32* x_bits, Z fill, Z* out) {
  for (i64 i = thread(); i < n; i += threads()) out[i] = has(x_bits, i) ? cast<Z>(x[i]) : fill;
}
