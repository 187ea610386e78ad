// The sum of all entries over a monoid: one partial sum a block, then the sum of those by one block,
// which leaves it in one word and in the next whether there is an entry.
#include "monoid.cuh"
#include "bits.cuh"
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

// size, or where it is null n, entries; bits are null where all of them are present.
extern "C" __global__ void partial(i64 n, const u64* size, const X* x, const u32* bits, Z* sums, u64* anys) {
  bool any = false;
  Z z = Add::identity();
  if (size) n = *size;
  for (i64 i = thread(); i < n; i += threads())
    if (has(bits, i)) include(any, z, cast<Z>(x[i]));
  block_sum(any, z);
  if (threadIdx.x == 0) sums[blockIdx.x] = z, anys[blockIdx.x] = any;
}

extern "C" __global__ void total(i64 blocks, const Z* sums, const u64* anys, u64* out) {
  if (blockIdx.x) return;
  bool any = false;
  Z z = Add::identity();
  for (i64 i = threadIdx.x; i < blocks; i += blockDim.x)
    if (anys[i]) include(any, z, sums[i]);
  block_sum(any, z);
  if (threadIdx.x == 0) *(Z*)out = any ? z : (Z)Add::identity(), out[1] = any;
}
