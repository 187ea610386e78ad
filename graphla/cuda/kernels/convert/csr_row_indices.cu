// The row of each entry of compressed sparse rows.
//
// Work split: one entry per thread, which finds its row by binary search (for_each_entry, rows.cuh).
// Conflicts: none.
// Memory: reads the offsets; writes one index per entry, coalesced.
#include "rows.cuh"
extern "C" __global__ void csr_row_indices(i64 nvals, i64 nrows, const Offset* indptr, Row* row_indices) {
  for_each_entry(indptr, nrows, nvals, [&](i64 row, i64 p) { row_indices[p] = row; });
}
