// The entries at (row(q), column + right q) for each q, by bisection in compressed sparse rows.
#include "bits.cuh"
#include "index_axis.cuh"
extern "C" __global__ void csr_lookup(i64 count, const Rows* rows, i64 row, i64 down, i64 column, i64 right, const Offset* indptr,
                                const Index* indices, const X* x, X* out, u32* bits) {
  for (i64 q = thread(); q < round_up_to_warps(count); q += threads()) {
    bool present = false;
    if (q < count) {
      i64 i = at(rows, row, down, q), j = column + right * q, low = indptr[i], high = indptr[i + 1], end = high;
      while (low < high) {
        i64 middle = (low + high) / 2;
        if (indices[middle] < j) low = middle + 1;
        else high = middle;
      }
      present = low < end && indices[low] == j;
      if (present) out[q] = x[ISO ? 0 : low];
    }
    store_bit(bits, q, present);
  }
}
