// The sum of what all threads have: one partial sum a block, then the sum of those by the last block, which tells it.
#include "monoid.cuh"
#include "host_result.cuh"
__device__ __forceinline__ void block_sum(bool& any, Z& z) {
  __shared__ Z sums[32];
  __shared__ bool anys[32];
  warp_sum(any, z);
  int w = threadIdx.x / WARP, warps = (blockDim.x + WARP - 1) / WARP;
  if (lane() == 0) sums[w] = z, anys[w] = any;
  __syncthreads();
  if (w == 0) {
    any = lane() < warps && anys[lane()];
    if (any) z = sums[lane()];
    warp_sum(any, z);
  }
}

// `ended` is 0; sums and anys have room for one of each block.
__device__ __forceinline__ void publish_sum(bool any, Z z, Z* sums, u64* anys, u64* ended, u64* host) {
  block_sum(any, z);
  if (threadIdx.x == 0) sums[blockIdx.x] = z, anys[blockIdx.x] = any;
  if (!is_last_block(ended)) return;
  any = false, z = Add::identity();
  for (i64 i = threadIdx.x; i < gridDim.x; i += blockDim.x)
    if (((volatile u64*)anys)[i]) accumulate(any, z, (Z)((volatile Z*)sums)[i]);
  block_sum(any, z);
  if (threadIdx.x == 0) publish(host, any ? z : (Z)Add::identity(), any);
}
