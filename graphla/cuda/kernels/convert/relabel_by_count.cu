// Columns and rows by how many entries they have.
#include "rows.cuh"

// Every column that has an entry counts once at least, and each step-th entry counts once more: what is read is
// rarely written.
extern "C" __global__ void count_column_entries(i64 nvals, i64 step, const Index* indices, i32* counts) {
  for (i64 p = thread(); p < nvals; p += threads()) {
    i64 column = indices[p];
    if (p % step == 0 || *(volatile i32*)&counts[column] == 0) atomicAdd(&counts[column], 1);
  }
}

// Each entry as one key, rows[its row] before columns[its column].
extern "C" __global__ void relabel_entries(i64 nvals, i64 nrows, const Offset* indptr, const Index* indices, const i32* rows, const i32* columns,
                                    u64* keys) {
  for_each_entry(indptr, nrows, nvals, [&](i64 row, i64 p) { keys[p] = (u64)rows[row] << 32 | (u32)columns[indices[p]]; });
}
