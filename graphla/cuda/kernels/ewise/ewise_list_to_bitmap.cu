// C<M, accum> = combine(x, y), in place: x is a list, C a bitmap or full. Entries of C elsewhere stay as they are.
//
// Work split: one entry of x per thread; nothing else of C is read or written.
// Conflicts: none for values, as a list has each index once; the presence bits of a word are set by atomicOr.
// Memory: reads x's indices and values, y and the mask at these indices; reads and writes C there.
#include "masked_write.cuh"
#include "elementwise_formula.cuh"
extern "C" __global__ void ewise_list_to_bitmap(const u64* x_size, i64 ncols, const Index* x_indices, const X* x, const Y* y, const u32* y_bits,
                                                S scalar, const Mask* mask_values, const u32* mask_bits, C* c, u32* c_bits) {
  for (i64 k = thread(); k < *x_size; k += threads()) {
    i64 i = x_indices[k];
    bool has_y = y && has(y_bits, i);
    T t = T();
    if (!mask_allows(mask_values, mask_bits, i) ||
        !Combine::at(true, x[k], has_y, has_y ? y[i] : Y(), scalar, i / ncols, i % ncols, t))
      continue;
    masked_write(c, i, true, ACCUM && has(c_bits, i), true, t);
    if (c_bits) set(c_bits, i);
  }
}
