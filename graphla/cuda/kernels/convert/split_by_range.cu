// The entries of a list by ranges of indices: range r has the indices from boundaries[r] to below boundaries[r + 1].
//
// Work split: one entry of the list per thread, which compares its index with the boundaries of all ranges: there are few.
// Conflicts: a counter for each range, to which the lanes of a warp with entries of that range add once.
// Memory: each kernel reads the indices once; split_by_range reads and writes each entry once.
#include "warp.cuh"

template <class Found> __device__ __forceinline__ void for_each_range(i64 index, i64 ranges, const Index* boundaries, const Found& found) {
  for (i64 r = 0; r < ranges; ++r)
    if (boundaries[r] <= index && index < boundaries[r + 1]) found(r);
}

// The number of entries of each range; 0 before.
extern "C" __global__ void count_by_range(const u64* list_size, const Index* indices, i64 ranges, const Index* boundaries, u64* counts) {
  for (i64 k = thread(); k < *list_size; k += threads())
    for_each_range(indices[k], ranges, boundaries, [&](i64 r) { append(counts + r); });
}

// The entries of each range, in any order, behind those of the ranges before it. `written` is 0 before.
extern "C" __global__ void split_by_range(const u64* list_size, const Index* indices, const V* values, i64 ranges, const Index* boundaries,
                                          const u64* counts, u64* written, Index* split_indices, V* split_values) {
  for (i64 k = thread(); k < *list_size; k += threads())
    for_each_range(indices[k], ranges, boundaries, [&](i64 r) {
      i64 place = append(written + r);
      for (i64 before = 0; before < r; ++before) place += counts[before];
      split_indices[place] = indices[k];
      split_values[place] = values[k];
    });
}
