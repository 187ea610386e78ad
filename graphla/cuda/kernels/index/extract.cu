// The entries at (row(q / across), column(q % across)) for each q, of a bitmap or full array.
#include "bits.cuh"
#include "index_axis.cuh"
extern "C" __global__ void extract(i64 count, i64 across, i64 ncols, const Rows* rows, i64 row, i64 down, const Columns* columns, i64 column,
                                   i64 right, const X* x, const u32* xbits, X* out, u32* bits) {
  for (i64 q = thread(); q < round_up_to_warps(count); q += threads()) {
    bool present = false;
    if (q < count) {
      i64 p = at(rows, row, down, q / across) * ncols + at(columns, column, right, q % across);
      present = has(xbits, p);
      if (present) out[q] = x[p];
    }
    if (bits) store_bit(bits, q, present);
  }
}
