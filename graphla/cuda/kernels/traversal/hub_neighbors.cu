// The head of each row, of its first LOOK columns the one whose own row is longest, and which rows have one.
#include "bits.cuh"
extern "C" __global__ void hub_neighbors(i64 n, const Offset* indptr, const Index* indices, Index* out, u32* some) {
  for (i64 row = thread(); row < (n + 31) / 32 * 32; row += threads()) {
    Offset most = -1;
    Index head = -1;
    i64 end = row < n ? min((i64)indptr[row + 1], indptr[row] + (i64)LOOK) : 0;
    for (i64 p = row < n ? indptr[row] : 0; p < end; p++) {
      Index column = indices[p];
      Offset size = indptr[column + 1] - indptr[column];
      if (size > most) most = size, head = column;
    }
    if (row < n) out[row] = head;
    store_bit(some, row, head >= 0);
  }
}
