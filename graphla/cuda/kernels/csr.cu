// The row of each entry of compressed sparse rows.
#include "warp.cuh"
extern "C" __global__ void rows_of(i64 nvals, i64 nrows, const Offset* indptr, Row* rows) {
  for (i64 p = thread(); p < nvals; p += threads()) {
    i64 low = 0, high = nrows;  // indptr[low] <= p < indptr[high]
    while (high - low > 1) {
      i64 middle = (low + high) / 2;
      if (indptr[middle] <= p) low = middle;
      else high = middle;
    }
    rows[p] = low;
  }
}
