// C(rows, columns)<M, accum, replace> = x, or the scalar s: position q of the region, which the mask
// and x have the shape of, is (row(q / across), column(q % across)) of C, a bitmap or full.
#include "masked_write.cuh"
#include "index_axis.cuh"
extern "C" __global__ void assign(i64 count, i64 across, i64 ncols, const Rows* rows, i64 row, i64 down, const Columns* columns, i64 column,
                                  i64 right, const T* x, const u32* xbits, T s, const Mask* m, const u32* mbits, C* c, u32* cbits) {
  for (i64 q = thread(); q < count; q += threads()) {
    bool open = mask_allows(m, mbits, q);
    if (!open && !REPLACE) continue;
    i64 p = at(rows, row, down, q / across) * ncols + at(columns, column, right, q % across);
    bool hc = has(cbits, p), ht = SCALAR || has(xbits, q);
    bool present = masked_write(c, p, open, hc, ht, SCALAR ? s : ht ? x[q] : T());
    if (cbits && present != hc) present ? set(cbits, p) : clear(cbits, p);
  }
}
