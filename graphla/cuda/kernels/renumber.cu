// Columns by how many entries they have.
#include "rows.cuh"

// Every column that has an entry counts once at least, and each step-th entry counts once more: what is read is
// rarely written.
extern "C" __global__ void count_columns(i64 nvals, i64 step, const Index* indices, i32* counts) {
  for (i64 p = thread(); p < nvals; p += threads()) {
    i64 column = indices[p];
    if (p % step == 0 || *(volatile i32*)&counts[column] == 0) atomicAdd(&counts[column], 1);
  }
}

// rank[i] for each entry in column i.
extern "C" __global__ void renumber(i64 nvals, const Index* indices, const Index* rank, Index* out) {
  for (i64 p = thread(); p < nvals; p += threads()) out[p] = rank[indices[p]];
}
