// Reduction over a whole grid in one launch: the sum over the monoid Add of the values of all threads.
//
// Each block writes one partial sum; the block that finishes last adds these and publishes the result to the host.
#include "monoid.cuh"
#include "host_result.cuh"
// Sum over the threads of a block; the result is in its thread 0.
__device__ __forceinline__ void block_sum(bool& has_value, Z& sum) {
  __shared__ Z warp_sums[32];
  __shared__ bool warp_has_value[32];
  warp_sum(has_value, sum);
  int w = threadIdx.x / WARP, warps = (blockDim.x + WARP - 1) / WARP;
  if (lane() == 0) warp_sums[w] = sum, warp_has_value[w] = has_value;
  __syncthreads();
  if (w == 0) {
    has_value = lane() < warps && warp_has_value[lane()];
    if (has_value) sum = warp_sums[lane()];
    warp_sum(has_value, sum);
  }
}

// Sum over all threads of the grid; all of them must call this. `blocks_done` is 0 before; `block_sums` and
// `block_has_value` have one element per block. The host gets the sum and whether there was any value.
__device__ __forceinline__ void publish_grid_sum(bool has_value, Z sum, Z* block_sums, u64* block_has_value, u64* blocks_done, u64* host_words) {
  block_sum(has_value, sum);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum, block_has_value[blockIdx.x] = has_value;
  if (!is_last_block(blocks_done)) return;
  has_value = false, sum = Add::identity();
  for (i64 b = threadIdx.x; b < gridDim.x; b += blockDim.x)
    if (((volatile u64*)block_has_value)[b]) accumulate(has_value, sum, (Z)((volatile Z*)block_sums)[b]);
  block_sum(has_value, sum);
  if (threadIdx.x == 0) publish(host_words, has_value ? sum : (Z)Add::identity(), has_value);
}
