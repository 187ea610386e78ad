// The edges at sorted entries of a matrix: ends and weight.
#include "rows.cuh"

extern "C" __global__ void forest_results(i64 count, i64 nrows, const Offset* indptr, const i32* indices, const Weight* values,
                                          i64 iso, const Offset* entries, End* src, End* dst, Weight* weight) {
  for (i64 k = thread(); k < count; k += threads()) {
    i64 p = entries[k];
    src[k] = row_of(indptr, 0, nrows, p), dst[k] = indices[p], weight[k] = values[iso ? 0 : p];
  }
}
