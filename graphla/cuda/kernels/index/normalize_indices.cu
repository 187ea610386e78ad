// Indices of a dimension of `size` from integers of any type: k < 0 means size + k.
//
// Work split: one index per thread.
// Conflicts: any out-of-range index may be reported: its place + 1 is written to out_of_range[0] without an atomic.
// Memory: reads and writes each index once. out_of_range is {0, 0} before; the host can wait for its value (publish_count).
#include "warp.cuh"
#include "host_result.cuh"
extern "C" __global__ void normalize_indices(i64 n, i64 size, const Key* keys, Index* indices, u64* out_of_range, u64* host_words) {
  for (i64 k = thread(); k < n; k += threads()) {
    bool is_negative = (Key)-1 < (Key)0 && keys[k] < (Key)0;
    u64 i = is_negative ? (i64)keys[k] + size : (u64)keys[k];
    if (i >= (u64)size) *out_of_range = k + 1;
    indices[k] = (Index)i;
  }
  publish_count(out_of_range, host_words);
}
