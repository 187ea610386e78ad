// An array of the entries, and of `fill` where there is none.
#include "bits.cuh"
extern "C" __global__ void fill_missing(i64 n, const V* x, const u32* bits, Z fill, Z* out) {
  for (i64 i = thread(); i < n; i += threads()) out[i] = has(bits, i) ? cast<Z>(x[i]) : fill;
}
