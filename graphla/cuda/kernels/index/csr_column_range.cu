// B = A(:, first..last-1) for compressed sparse rows, columns numbered from 0: one part of a large transpose.
//
// `count_columns` counts the entries of each column once, for the host to choose the ranges. For each range
// `column_range_ends` finds where it ends in each row; the host makes B's offsets by a prefix sum; `copy_column_range`
// writes the entries, in order. A range begins where the one before it ends.
// Work split: one entry, row, or entry of B, per thread.
// Conflicts: counts are added by atomics; else none.
// Memory: reads all columns once; for each range log2(row length) columns per row, and the entries of B once; writes one
// offset per row, and B once.
#include "rows.cuh"

// The counts are 0 before.
extern "C" __global__ void count_columns(i64 nvals, const Index* indices, u64* counts) {
  for (i64 p = thread(); p < nvals; p += threads()) atomicAdd(counts + indices[p], (u64)1);
}

extern "C" __global__ void column_range_ends(i64 nrows, i64 last, const Offset* indptr, const Index* indices, Offset* row_ends) {
  for (i64 i = thread(); i < nrows; i += threads()) row_ends[i] = lower_bound(indptr, indices, i, last);
}

// `values` is null if they are not needed.
extern "C" __global__ void copy_column_range(i64 part_nvals, i64 nrows, i64 first, const Offset* row_begins, const Index* indices,
                                             const V* values, const PartOffset* part_indptr, PartIndex* part_indices, V* part_values) {
  for_each_entry(part_indptr, nrows, part_nvals, [&](i64 row, i64 q) {
    i64 p = row_begins[row] + (q - part_indptr[row]);
    part_indices[q] = indices[p] - first;
    if (values) part_values[q] = values[p];
  });
}
