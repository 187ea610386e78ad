// Words of slices, reductions over a block and barriers of the grid, for the kernels of the STAR-machine.
//
// `state` is two words of global memory that are 0 before and after each kernel: state[0] counts the blocks that reached a
// barrier or their end; state[1] holds the result that blocks combine by atomics.
#include "warp.cuh"
struct Sum { static __device__ __forceinline__ u64 of(u64 x, u64 y) { return x + y; } };
struct Largest { static __device__ __forceinline__ u64 of(u64 x, u64 y) { return x < y ? y : x; } };

// Reduce x over the block by F; the result is in thread 0.
template <class F> __device__ u64 block_reduce(u64 x) {
  __shared__ u64 warp_results[32];
  for (int distance = WARP / 2; distance; distance /= 2) x = F::of(x, from_lane(x, lane() ^ distance));
  if (lane() == 0) warp_results[threadIdx.x / WARP] = x;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int w = 1; w < blockDim.x / WARP; w++) x = F::of(x, warp_results[w]);
  __syncthreads();
  return x;
}

// Read a word that other blocks may be writing.
__device__ __forceinline__ u64 load_volatile(const u64* p) { return *(const volatile u64*)p; }

// Whether this block is the last of the grid to call this, after `barriers` barriers; resets state[0]. All threads of the
// block call it and get the same answer; the last block sees what the others wrote.
__device__ bool is_last_block(u64* state, i64 barriers = 0) {
  __shared__ bool is_last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicAdd(&state[0], 1ULL) == (barriers + 1) * gridDim.x - 1;
    if (is_last) state[0] = 0;
  }
  __syncthreads();
  __threadfence();
  return is_last;
}

// Barrier of all threads of a cooperative launch; `round` is the number of this barrier, from 1.
__device__ void barrier(u64* state, i64 round) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&state[0], 1ULL);
    while (load_volatile(&state[0]) < round * gridDim.x) {}
  }
  __syncthreads();
  __threadfence();
}

// Word i of a slice of n ones.
__device__ __forceinline__ u64 ones(i64 n, i64 i) { return n - 64 * i >= 64 ? ~0ULL : ~(~0ULL << (n - 64 * i)); }
// Word i of the control slice X, which selects rows; without one (null) all n rows are selected.
__device__ __forceinline__ u64 control(const u64* X, i64 n, i64 i) { return X ? X[i] : ones(n, i); }
// All ones if bit c of a word of the machine is set, else 0.
__device__ __forceinline__ u64 broadcast_bit(const u64* word, i64 c) { return 0 - (word[c >> 6] >> (c & 63) & 1); }
// The number of the lowest bit that is set; x is not 0.
__device__ __forceinline__ int lowest_bit(u64 x) {
  return (u32)x ? __ffs((int)(u32)x) - 1 : 31 + __ffs((int)(u32)(x >> 32));
}
