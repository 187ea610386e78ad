#include "warp.cuh"

// Column j |= X where bit j of w is set; or, without w, column j |= column k where its bit k is set. A warp
// takes a column.
extern "C" __global__ void unite_columns(i64 columns, i64 words, u64* T, const u64* X, const u64* w, const i64* first,
                                 i64 k) {
  if (first) k += *first;
  if (k >= columns) return;
  if (!w) X = T + k * words;
  for (i64 j = warp(); j < columns; j += warps()) {
    u64* t = T + j * words;
    if (t != X && (w ? w[j >> 6] >> (j & 63) & 1 : t[k >> 6] >> (k & 63) & 1))
      for (i64 i = lane(); i < words; i += WARP) t[i] |= X[i];
  }
}
