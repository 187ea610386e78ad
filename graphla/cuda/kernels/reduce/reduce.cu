// s = [Add_i x(i)]: the sum of all entries of a list, a bitmap or a full array over a monoid.
//
// Work split: each thread sums a strided share; blocks and the grid combine the sums (grid_reduce.cuh).
// Conflicts: none but the counter of finished blocks.
// Memory: reads each value and presence bit once; writes one partial sum per block.
// `x_size` is the size of a list; null: n values, `x_bits` being null if all are present.
#include "grid_reduce.cuh"
#include "bits.cuh"
extern "C" __global__ void reduce(i64 n, const u64* x_size, const X* x, const u32* x_bits, Z* block_sums, u64* block_has_value,
                                  u64* blocks_done, u64* host_words) {
  bool has_value = false;
  Z sum = Add::identity();
  if (x_size) n = *x_size;
  for (i64 i = thread(); i < n; i += threads())
    if (has(x_bits, i)) accumulate(has_value, sum, cast<Z>(x[i]));
  publish_grid_sum(has_value, sum, block_sums, block_has_value, blocks_done, host_words);
}
