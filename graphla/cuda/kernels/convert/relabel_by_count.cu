// Rows and columns relabelled by their number of entries: estimated counts of the columns, and sort keys of the entries.
//
// Work split: one entry per thread.
// Conflicts: counts are added by atomics, for few of the entries.
// Memory: reads each column index once per kernel; writes one 64-bit key per entry.
#include "rows.cuh"

// Estimate the entries of each column: every sample_step-th entry is counted, and an entry of a column with count 0, so that
// a column with entries has a positive count. Most entries only read the count.
extern "C" __global__ void count_column_entries(i64 nvals, i64 sample_step, const Index* indices, i32* counts) {
  for (i64 p = thread(); p < nvals; p += threads()) {
    i64 column = indices[p];
    if (p % sample_step == 0 || *(volatile i32*)&counts[column] == 0) atomicAdd(&counts[column], 1);
  }
}

// The key of entry (i, j): row_labels[i] in the upper 32 bits, column_labels[j] in the lower.
extern "C" __global__ void relabel_entries(i64 nvals, i64 nrows, const Offset* indptr, const Index* indices, const i32* row_labels,
                                           const i32* column_labels, u64* keys) {
  for_each_entry(indptr, nrows, nvals, [&](i64 row, i64 p) { keys[p] = (u64)row_labels[row] << 32 | (u32)column_labels[indices[p]]; });
}
