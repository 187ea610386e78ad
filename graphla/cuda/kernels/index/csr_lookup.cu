// t(q) = X(rows[q], column_start + column_step * q) for each q: single entries of compressed sparse rows, as a bitmap.
//
// Work split: one q per thread, by binary search in the row.
// Conflicts: none: the lanes of a warp write one word of the bits together.
// Memory: reads the offsets of the rows, log2(row length) columns and one value per q; writes t in order. ISO: all entries
// of X have the value x[0].
#include "bits.cuh"
#include "index_axis.cuh"
extern "C" __global__ void csr_lookup(i64 count, const RowIndex* rows, i64 row_start, i64 row_step, i64 column_start, i64 column_step,
                                      const Offset* indptr, const Index* indices, const X* x, X* out, u32* out_bits) {
  for (i64 q = thread(); q < round_up_to_warps(count); q += threads()) {
    bool is_present = false;
    if (q < count) {
      i64 i = axis_index(rows, row_start, row_step, q), j = column_start + column_step * q, low = indptr[i], high = indptr[i + 1], end = high;
      while (low < high) {
        i64 middle = (low + high) / 2;
        if (indices[middle] < j) low = middle + 1;
        else high = middle;
      }
      is_present = low < end && indices[low] == j;
      if (is_present) out[q] = x[ISO ? 0 : low];
    }
    store_bit(out_bits, q, is_present);
  }
}
