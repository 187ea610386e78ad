// Barrier of all blocks after which every block has the same words of global memory in shared memory.
#include "grid.cuh"

// Barrier of all threads of a cooperative launch; then shared_words[0..count-1] are words[0..count-1]. One thread per block reads
// them: reads of one address by all threads of the grid would be serialised.
__device__ __noinline__ void agree(u32* arrived, const u64* words, u64* shared_words, int count) {
  __syncthreads();
  if (threadIdx.x == 0) {
    wait_for_blocks(arrived);
    for (int k = 0; k < count; k++) shared_words[k] = __ldcg(&words[k]);
  }
  __syncthreads();
}
