// Rows and columns of compressed sparse rows, by lists in which a negative index stands for none.
#include "rows.cuh"
extern "C" __global__ void row_lengths(i64 count, const Rows* rows, const Offset* indptr, i64* lengths) {
  for (i64 r = thread(); r < count; r += threads()) lengths[r] = rows[r] < 0 ? 0 : (i64)(indptr[rows[r] + 1] - indptr[rows[r]]);
}

extern "C" __global__ void extract_rows(i64 count, const Rows* rows, const Offset* indptr, const Index* indices, const X* x,
                                     const Target* starts, Index* out, X* values) {
  for_each_entry(starts, count, starts[count], [&](i64 r, i64 to) {
    if (rows[r] < 0) return;
    i64 from = indptr[rows[r]] + (to - starts[r]);
    out[to] = indices[from];
    if (values) values[to] = x[ISO ? 0 : from];
  });
}

// Column j has the new labels places[starts[j]], ..., places[starts[j + 1] - 1] where there are starts;
// else the one label places[j], or none where that is negative.
__device__ __forceinline__ i64 labels(const i64* starts, const Label* places, i64 j) {
  return starts ? starts[j + 1] - starts[j] : places[j] >= 0;
}

extern "C" __global__ void count_column_copies(i64 nvals, const Index* indices, const i64* starts, const Label* places, i64* counts) {
  for (i64 p = thread(); p < nvals; p += threads()) counts[p] = labels(starts, places, indices[p]);
}

// `ends` says where the copies of each entry end.
extern "C" __global__ void extract_columns(i64 nvals, const Index* indices, const X* x, const i64* starts, const Label* places,
                                        const i64* ends, Label* out, X* values) {
  for (i64 p = thread(); p < nvals; p += threads()) {
    i64 j = indices[p], count = labels(starts, places, j), to = ends[p] - count;
    for (i64 k = 0; k < count; k++) {
      out[to + k] = places[starts ? starts[j] + k : j];
      if (!ISO) values[to + k] = x[p];
    }
  }
}
