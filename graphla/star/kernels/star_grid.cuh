// What a block, or the whole grid, finds together. `state` is two words that are 0 before and
// after each kernel: the blocks that have come to an end or a barrier, and what was found.
#include "warp.cuh"
struct Sum { static __device__ __forceinline__ u64 of(u64 x, u64 y) { return x + y; } };
struct Largest { static __device__ __forceinline__ u64 of(u64 x, u64 y) { return x < y ? y : x; } };

// The block's total, in its thread 0.
template <class F> __device__ u64 of_block(u64 x) {
  __shared__ u64 part[32];
  for (int d = WARP / 2; d; d /= 2) x = F::of(x, from_lane(x, lane() ^ d));
  if (lane() == 0) part[threadIdx.x / WARP] = x;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int w = 1; w < blockDim.x / WARP; w++) x = F::of(x, part[w]);
  __syncthreads();
  return x;
}

__device__ __forceinline__ u64 now(const u64* p) { return *(const volatile u64*)p; }

// Whether this block is the last of the grid to come here, after `barriers` barriers.
__device__ bool last_block(u64* state, i64 barriers = 0) {
  __shared__ bool last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomicAdd(&state[0], 1ULL) == (barriers + 1) * gridDim.x - 1;
    if (last) state[0] = 0;
  }
  __syncthreads();
  __threadfence();
  return last;
}

// Wait for all blocks, which run at once; `round` counts the barriers from 1.
__device__ void barrier(u64* state, i64 round) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&state[0], 1ULL);
    while (now(&state[0]) < round * gridDim.x) {}
  }
  __syncthreads();
  __threadfence();
}

// Word i of a slice of n ones.
__device__ __forceinline__ u64 ones(i64 n, i64 i) { return n - 64 * i >= 64 ? ~0ULL : ~(~0ULL << (n - 64 * i)); }
// Word i of the control slice; without one, all n rows are selected.
__device__ __forceinline__ u64 control(const u64* X, i64 n, i64 i) { return X ? X[i] : ones(n, i); }
// All ones where bit c of a word is set.
__device__ __forceinline__ u64 spread(const u64* word, i64 c) { return 0 - (word[c >> 6] >> (c & 63) & 1); }
__device__ __forceinline__ int lowest(u64 x) {
  return (u32)x ? __ffs((int)(u32)x) - 1 : 31 + __ffs((int)(u32)(x >> 32));
}
