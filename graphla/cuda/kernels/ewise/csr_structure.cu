// Parts and unions of compressed sparse rows.
#include "rows.cuh"
#include "entry_flags.cuh"

// The entries that have a flag, in order; `values` may be null.
extern "C" __global__ void compact_flagged(i64 nvals, const u32* bits, const Ends* ends, const Index* indices, const V* values, Index* out, V* kept) {
  for (i64 k = thread(); k < nvals; k += threads()) {
    if (!has(bits, k)) continue;
    i64 to = before(bits, ends, k);
    out[to] = indices[k];
    if (values) kept[to] = values[k];
  }
}

// The columns of the union of x and y; the flags are those of y's entries that x has not.
extern "C" __global__ void merge_structures(i64 nx, i64 ny, i64 nrows, const XOffset* xptr, const Index* xind,
                                 const YOffset* yptr, const Index* yind, const u32* bits, const Ends* ends, Index* out) {
  for_each_entry(xptr, nrows, nx, [&](i64 i, i64 k) {
    i64 j = xind[k];
    out[k + before(bits, ends, lower_bound(yptr, yind, i, j))] = j;
  });
  for_each_entry(yptr, nrows, ny, [&](i64 i, i64 q) {
    i64 j = yind[q];
    if (has(bits, q)) out[before(bits, ends, q) + lower_bound(xptr, xind, i, j)] = j;
  });
}
