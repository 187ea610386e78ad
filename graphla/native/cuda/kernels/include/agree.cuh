// What all blocks have written together.
#include "grid.cuh"

// Wait for all blocks; then `count` words are in `seen`, in shared memory: were all threads to read them, they
// would stand in a queue for microseconds.
__device__ __noinline__ void agree(u32* arrived, const u64* words, u64* seen, int count) {
  __syncthreads();
  if (threadIdx.x == 0) {
    wait_for_blocks(arrived);
    for (int k = 0; k < count; k++) seen[k] = __ldcg(&words[k]);
  }
  __syncthreads();
}
