// Ends and weights of the edges at sorted entries of a matrix in compressed sparse rows.
//
// Work split: one edge per thread, which finds its row by binary search. Conflicts: none.
#include "rows.cuh"

// With `iso` all weights are values[0].
extern "C" __global__ void forest_results(i64 count, i64 nrows, const Offset* indptr, const i32* indices, const Weight* values,
                                          i64 iso, const Offset* entries, End* src, End* dst, Weight* weights) {
  for (i64 k = thread(); k < count; k += threads()) {
    i64 p = entries[k];
    src[k] = row_of(indptr, 0, nrows, p), dst[k] = indices[p], weights[k] = values[iso ? 0 : p];
  }
}
