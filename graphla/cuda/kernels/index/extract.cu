// T = X(rows, columns): the region of a bitmap or full X. An axis is a list or a progression (index_axis.cuh).
//
// Work split: one position q of the region per thread; it is element (rows[q / region_ncols], columns[q % region_ncols]).
// Conflicts: none: the lanes of a warp write one word of T's bits together.
// Memory: reads X at the region; writes T's values and bits (null if X is full) in order.
#include "bits.cuh"
#include "index_axis.cuh"
extern "C" __global__ void extract(i64 region_size, i64 region_ncols, i64 ncols, const RowIndex* rows, i64 row_start, i64 row_step,
                                   const ColumnIndex* columns, i64 column_start, i64 column_step, const X* x, const u32* x_bits, X* out,
                                   u32* out_bits) {
  for (i64 q = thread(); q < round_up_to_warps(region_size); q += threads()) {
    bool is_present = false;
    if (q < region_size) {
      i64 p = axis_index(rows, row_start, row_step, q / region_ncols) * ncols + axis_index(columns, column_start, column_step, q % region_ncols);
      is_present = has(x_bits, p);
      if (is_present) out[q] = x[p];
    }
    if (out_bits) store_bit(out_bits, q, is_present);
  }
}
