// The column of each row from which `width` columns hold most of its entries, the first such.
#include "warp.cuh"
extern "C" __global__ void windows(i64 nrows, i64 width, const Offset* indptr, const Index* indices, Index* base) {
  for (i64 i = thread(); i < nrows; i += threads()) {
    i64 end = indptr[i + 1], last = indptr[i], most = 0;
    for (i64 p = last; p < end; p++) {
      while (last < end && indices[last] - indices[p] < width) last++;
      if (last - p > most) {
        most = last - p;
        base[i] = indices[p];
      }
    }
  }
}
