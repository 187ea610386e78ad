// C<M> = accum(C, combine(x, y)) where x is a list: only its entries are looked at. C is a bitmap or full.
#include "masked_write.cuh"
#include "elementwise_formula.cuh"
extern "C" __global__ void ewise_list_to_bitmap(const u64* count, i64 ncols, const Index* keys, const X* x, const Y* y, const u32* ybits, S s,
                                   const Mask* m, const u32* mbits, C* c, u32* cbits) {
  for (i64 k = thread(); k < *count; k += threads()) {
    i64 i = keys[k];
    bool hy = y && has(ybits, i);
    T t = T();
    if (!mask_allows(m, mbits, i) || !Combine::at(true, x[k], hy, hy ? y[i] : Y(), s, i / ncols, i % ncols, t)) continue;
    masked_write(c, i, true, ACCUM && has(cbits, i), true, t);
    if (cbits) set(cbits, i);
  }
}
