// C<M, replace> = combine(x, y), C a new list: the entries of the list x at which combine gives one and the mask allows it.
//
// Work split: one entry of x per thread.
// Conflicts: threads reserve places in C by append (one atomic addition per warp), so C's entries are in any order.
// Memory: reads x's indices and values, y (a bitmap or full) and the mask at these indices; writes the entries of C.
// `c_size` is {0, 0} before; the host can wait for its value (publish_count).
// ALIGNED: the mask is a list with the same indices as x, in the same order, so it is read by place and not by index.
#include "masked_write.cuh"
#include "elementwise_formula.cuh"
#include "host_result.cuh"
extern "C" __global__ void ewise_filter_list(const u64* x_size, i64 ncols, const Index* x_indices, const X* x, const Y* y, const u32* y_bits,
                                             S scalar, const Mask* mask_values, const u32* mask_bits, Index* c_indices, C* c, u64* c_size,
                                             u64* host_words) {
  for (i64 k = thread(); k < *x_size; k += threads()) {
    i64 i = x_indices[k];
    bool has_y = y && has(y_bits, i);
    T t = T();
    if (!mask_allows(mask_values, mask_bits, ALIGNED ? k : i) ||
        !Combine::at(true, x[k], has_y, has_y ? y[i] : Y(), scalar, i / ncols, i % ncols, t))
      continue;
    i64 place = append(c_size);
    c_indices[place] = i;
    c[place] = cast<C>(t);
  }
  publish_count(c_size, host_words);
}
