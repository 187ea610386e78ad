// C<M, accum, replace> = A u, row by row. A row that the mask excludes is not read.
#include "masked_write.cuh"
#include "early_exit_row.cuh"

extern "C" __global__ void spmv_pull(i64 nrows, const Offset* indptr, const Index* indices, const A* a, const U* u, const u32* ubits,
                                const Mask* m, const u32* mbits, C* c, const u32* old, u32* cbits) {
  for (i64 row = thread(); row < round_up_to_warps(nrows); row += threads()) {
    bool open = row < nrows && mask_allows(m, mbits, row), any = false;
    Z z = Add::identity();
    sum_of_row(any, z, row, open ? indptr[row] : 0, open ? indptr[row + 1] : 0, indices, a, u, ubits);
    bool present = false;
    if (row < nrows) present = masked_write(c, row, open, READS_OLD_C && has(old, row), any, z);
    if (cbits) store_bit_in_new_word(cbits, old, row, present);
  }
}
