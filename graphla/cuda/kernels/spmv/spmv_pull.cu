// SpMV by pull with early exit:  C<M, accum, replace> = A u,  for monoids whose sum few entries decide (any, or, and).
//
// Work split: a thread per row; its warp shares the rest of a long row (early_exit_row.cuh).
// Conflicts: none; a row is written by its own thread, a word of presence bits by one warp.
// Memory: reads the rows that the mask allows until their sums are decided, and u at their columns; writes C in place.
// Old entries of C are at c_values and old_c_bits; the new bits go to c_bits.
#include "masked_write.cuh"
#include "early_exit_row.cuh"

extern "C" __global__ void spmv_pull(i64 nrows, const Offset* row_offsets, const Index* columns, const A* a_values, const U* u_values,
                                     const u32* u_bits, const Mask* mask_values, const u32* mask_bits, C* c_values, const u32* old_c_bits,
                                     u32* c_bits) {
  for (i64 row = thread(); row < round_up_to_warps(nrows); row += threads()) {
    bool is_allowed = row < nrows && mask_allows(mask_values, mask_bits, row), has_value = false;
    Z sum = Add::identity();
    sum_row(has_value, sum, row, is_allowed ? row_offsets[row] : 0, is_allowed ? row_offsets[row + 1] : 0, columns, a_values, u_values, u_bits);
    bool is_present = false;
    if (row < nrows) is_present = masked_write(c_values, row, is_allowed, READS_OLD_C && has(old_c_bits, row), has_value, sum);
    if (c_bits) store_bit_in_new_word(c_bits, old_c_bits, row, is_present);
  }
}
