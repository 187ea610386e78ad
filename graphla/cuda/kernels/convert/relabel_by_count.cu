// Rows and columns relabelled by their number of entries: estimated counts of the columns, and sort keys of the entries.
//
// Work split: one entry per thread; `relabel_entries` takes a part of the rows at a time.
// Conflicts: counts are added by atomics, for few of the entries.
// Memory: reads each column index once per kernel, of `relabel_entries` those of its rows; writes one 64-bit key per entry.
#include "rows.cuh"

// Estimate the entries of each column: every sample_step-th entry is counted, and an entry of a column with count 0, so that
// a column with entries has a positive count. Most entries only read the count.
extern "C" __global__ void count_column_entries(i64 nvals, i64 sample_step, const Index* indices, i32* counts) {
  for (i64 p = thread(); p < nvals; p += threads()) {
    i64 column = indices[p];
    if (p % sample_step == 0 || *(volatile i32*)&counts[column] == 0) atomicAdd(&counts[column], 1);
  }
}

// The keys of the entries of a part, which is rows with consecutive new numbers: its row r is the matrix's row row_order[r]
// and has the keys part_offsets[r], ..., part_offsets[r + 1] - 1. An entry in column j has r in the upper 32 bits of its key
// and column_labels[j] in the lower.
extern "C" __global__ void relabel_entries(i64 nvals, i64 nrows, const Offset* part_offsets, const i32* row_order, const Offset* indptr,
                                           const Index* indices, const i32* column_labels, u64* keys) {
  for_each_entry(part_offsets, nrows, nvals, [&](i64 r, i64 q) {
    i64 p = indptr[row_order[r]] + (q - part_offsets[r]);
    keys[q] = (u64)r << 32 | (u32)column_labels[indices[p]];
  });
}
