// Indices of a dimension from integers of any type: negative ones count from its end.
// `wrong`, which is 0, as is the word behind it, gets one more than the place of one that is outside; the host is told.
#include "warp.cuh"
#include "host_result.cuh"
extern "C" __global__ void normalize_indices(i64 n, i64 size, const Key* given, Index* out, u64* wrong, u64* host) {
  for (i64 k = thread(); k < n; k += threads()) {
    bool negative = (Key)-1 < (Key)0 && given[k] < (Key)0;
    u64 i = negative ? (i64)given[k] + size : (u64)given[k];
    if (i >= (u64)size) *wrong = k + 1;
    out[k] = (Index)i;
  }
  publish_count(wrong, host);
}
