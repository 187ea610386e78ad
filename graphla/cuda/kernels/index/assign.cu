// C(rows, columns)<M, accum, replace> = X, or = scalar: assignment to a region of C, a bitmap or full, in place.
//
// M and X have the shape of the region, whose position q is element (rows[q / region_ncols], columns[q % region_ncols])
// of C. An axis is a list or a progression (index_axis.cuh).
// Work split: one position of the region per thread.
// Conflicts: if an axis lists an index twice, C gets one of the two values; presence bits are set and cleared by atomics,
// only if they change.
// Memory: reads X and the mask once, in order; reads and writes C at the region. C outside the region stays as it is.
#include "masked_write.cuh"
#include "index_axis.cuh"
extern "C" __global__ void assign(i64 region_size, i64 region_ncols, i64 ncols, const RowIndex* rows, i64 row_start, i64 row_step,
                                  const ColumnIndex* columns, i64 column_start, i64 column_step, const T* x, const u32* x_bits, T scalar,
                                  const Mask* mask_values, const u32* mask_bits, C* c, u32* c_bits) {
  for (i64 q = thread(); q < region_size; q += threads()) {
    bool is_allowed = mask_allows(mask_values, mask_bits, q);
    if (!is_allowed && !REPLACE) continue;
    i64 p = axis_index(rows, row_start, row_step, q / region_ncols) * ncols + axis_index(columns, column_start, column_step, q % region_ncols);
    bool has_c = has(c_bits, p), has_t = SCALAR || has(x_bits, q);
    bool is_present = masked_write(c, p, is_allowed, has_c, has_t, SCALAR ? scalar : has_t ? x[q] : T());
    if (c_bits && is_present != has_c) is_present ? set(c_bits, p) : clear(c_bits, p);
  }
}
