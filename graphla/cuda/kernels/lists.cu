// Parts and unions of compressed sparse rows. ends[k] is the number of flags before entry k.
#include "rows.cuh"

// The entries that have a flag, in order; `values` may be null.
extern "C" __global__ void compact(i64 nvals, const bool* flags, const Ends* ends, const Index* indices, const V* values, Index* out, V* kept) {
  for (i64 k = thread(); k < nvals; k += threads()) {
    if (!flags[k]) continue;
    out[ends[k]] = indices[k];
    if (values) kept[ends[k]] = values[k];
  }
}

// The columns of the union of x and y; the flags are those of y's entries that x has not.
extern "C" __global__ void merge(i64 nx, i64 ny, i64 nrows, const XOffset* xptr, const Index* xind,
                                 const YOffset* yptr, const Index* yind, const bool* flags, const Ends* ends, Index* out) {
  each_entry(xptr, nrows, nx, [&](i64 i, i64 k) {
    i64 j = xind[k];
    out[k + ends[place_of(yptr, yind, i, j)]] = j;
  });
  each_entry(yptr, nrows, ny, [&](i64 i, i64 q) {
    i64 j = yind[q];
    if (flags[q]) out[ends[q] + place_of(xptr, xind, i, j)] = j;
  });
}
