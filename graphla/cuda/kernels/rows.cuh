// Compressed sparse rows, seen from one entry.
#include "warp.cuh"

// The row of entry p: indptr[row] <= p < indptr[row + 1].
template <class Offset> __device__ __forceinline__ i64 row_of(const Offset* indptr, i64 nrows, i64 p) {
  i64 low = 0, high = nrows;
  while (high - low > 1) {
    i64 middle = (low + high) / 2;
    if (indptr[middle] <= p) low = middle;
    else high = middle;
  }
  return low;
}

// The first entry of row i in column j or behind it; the row's end if there is none.
template <class Offset, class Index> __device__ __forceinline__ i64 place_of(const Offset* indptr, const Index* indices, i64 i, i64 j) {
  i64 low = indptr[i], high = indptr[i + 1];
  while (low < high) {
    i64 middle = (low + high) / 2;
    if (indices[middle] < j) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The entry (i, j), or -1.
template <class Offset, class Index> __device__ __forceinline__ i64 entry_at(const Offset* indptr, const Index* indices, i64 i, i64 j) {
  i64 p = place_of(indptr, indices, i, j);
  return p < indptr[i + 1] && indices[p] == j ? p : -1;
}
