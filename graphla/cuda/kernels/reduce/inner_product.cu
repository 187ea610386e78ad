// s = [Add_i x(i) * y(i)]: the inner product of two vectors over a semiring. SWAPPED: y(i) * x(i).
//
// Work split: each thread sums the products of a strided share; blocks and the grid combine the sums (grid_reduce.cuh).
// Conflicts: none but the counter of finished blocks.
// Memory: reads x once and y at x's entries; writes one partial sum per block.
// x is a list with `x_size` entries at `x_indices`, or without these (null) n values with presence bits, as y is.
#include "grid_reduce.cuh"
#include "bits.cuh"
extern "C" __global__ void inner_product(i64 n, const u64* x_size, const Index* x_indices, const X* x, const u32* x_bits, const Y* y,
                                         const u32* y_bits, Z* block_sums, u64* block_has_value, u64* blocks_done, u64* host_words) {
  bool has_value = false;
  Z sum = Add::identity();
  if (x_size) n = *x_size;
  for (i64 k = thread(); k < n; k += threads()) {
    i64 i = x_indices ? (i64)x_indices[k] : k;
    if (!has(x_bits, k) || !has(y_bits, i)) continue;
    typedef Multiply M;
    if constexpr (SWAPPED) accumulate(has_value, sum, (Z)M::of(cast<M::X>(y[i]), cast<M::Y>(x[k]), 0, i, i, 0));
    else accumulate(has_value, sum, (Z)M::of(cast<M::X>(x[k]), cast<M::Y>(y[i]), 0, i, i, 0));
  }
  publish_grid_sum(has_value, sum, block_sums, block_has_value, blocks_done, host_words);
}
