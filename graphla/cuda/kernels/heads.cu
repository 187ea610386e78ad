// The head of each row: of its first LOOK columns the one whose own row is longest, -1 where it has none.
#include "warp.cuh"
extern "C" __global__ void heads(i64 n, const Offset* indptr, const Index* indices, Index* out) {
  for (i64 row = thread(); row < n; row += threads()) {
    Offset most = -1;
    Index head = -1;
    for (i64 p = indptr[row], end = min((i64)indptr[row + 1], p + LOOK); p < end; p++) {
      Index column = indices[p];
      Offset size = indptr[column + 1] - indptr[column];
      if (size > most) most = size, head = column;
    }
    out[row] = head;
  }
}
