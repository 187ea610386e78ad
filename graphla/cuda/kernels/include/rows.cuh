// Compressed sparse rows: the row of an entry, visits of all entries, and search in a row.
#include "warp.cuh"

// The row of entry p, which is one of low..high-1: indptr[row] <= p < indptr[row + 1].
template <class Offset> __device__ __forceinline__ i64 row_of(const Offset* indptr, i64 low, i64 high, i64 p) {
  while (high - low > 1) {
    i64 middle = (low + high) / 2;
    if (indptr[middle] <= p) low = middle;
    else high = middle;
  }
  return low;
}

// Call visit(row, p) for all entries p, an equal share for each warp. A warp takes CHUNK consecutive entries and finds
// the range of their rows once, so that each lane's search for its row is short.
template <class Offset, class Visit> __device__ __forceinline__ void for_each_entry(const Offset* indptr, i64 nrows, i64 nvals, Visit visit) {
  const int CHUNK = 16 * WARP;
  for (i64 first = warp() * CHUNK; first < nvals; first += warps() * CHUNK) {
    i64 last = min(first + CHUNK, nvals) - 1, low = row_of(indptr, 0, nrows, first), high = row_of(indptr, low, nrows, last) + 1;
    for (i64 p = first + lane(); p <= last; p += WARP) visit(row_of(indptr, low, high, p), p);
  }
}

// The same; without NEEDS_ROW visit is called with row 0.
template <bool NEEDS_ROW, class Offset, class Visit> __device__ __forceinline__ void for_each_entry(const Offset* indptr, i64 nrows, i64 nvals, Visit visit) {
  if constexpr (NEEDS_ROW) for_each_entry(indptr, nrows, nvals, visit);
  else
    for (i64 p = thread(); p < nvals; p += threads()) visit(0, p);
}

// The first entry of row i whose column is not less than j, or the end of the row.
template <class Offset, class Index> __device__ __forceinline__ i64 lower_bound(const Offset* indptr, const Index* indices, i64 i, i64 j) {
  i64 low = indptr[i], high = indptr[i + 1];
  while (low < high) {
    i64 middle = (low + high) / 2;
    if (indices[middle] < j) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The place of entry (i, j), or -1.
template <class Offset, class Index> __device__ __forceinline__ i64 find_entry(const Offset* indptr, const Index* indices, i64 i, i64 j) {
  i64 p = lower_bound(indptr, indices, i, j);
  return p < indptr[i + 1] && indices[p] == j ? p : -1;
}
