// Publish a scalar result to the host: two words of pinned host memory, which the host polls (runtime/kernel.py).
//
// The second word is written after the first: the number of values, or whether there is one.
template <class T> __device__ __forceinline__ void publish(u64* host_words, T value, i64 status) {
  *(volatile T*)host_words = value;
  __threadfence_system();
  *(volatile u64*)(host_words + 1) = status;
  __threadfence_system();
}

// Whether this block is the last one to call this, in which case it sees what the other blocks wrote before. All threads
// of the block must call it and get the same answer. `blocks_done` is 0 before the launch.
__device__ __forceinline__ bool is_last_block(u64* blocks_done) {
  __shared__ bool is_last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(blocks_done, (u64)1) + 1 == gridDim.x;
    __threadfence();
  }
  __syncthreads();
  return is_last;
}

// Called last in a kernel that counts: publish the final count[0], if the host requested it. count[1] is 0 before.
__device__ __forceinline__ void publish_count(u64* count, u64* host_words) {
  if (host_words && is_last_block(count + 1) && threadIdx.x == 0) publish(host_words, *(volatile u64*)count, true);
}
