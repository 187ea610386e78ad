// What a kernel tells the host, in two words that both see: a value, and then whether there is one, or how many.
template <class T> __device__ __forceinline__ void publish(u64* host, T x, i64 found) {
  *(volatile T*)host = x;
  __threadfence_system();
  *(volatile u64*)(host + 1) = found;
  __threadfence_system();
}

// Whether this block ends last, given a word that was 0; what the other blocks wrote before is there then. All
// threads of the block come here, and all know the answer.
__device__ __forceinline__ bool is_last_block(u64* ended) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(ended, (u64)1) + 1 == gridDim.x;
    __threadfence();
  }
  __syncthreads();
  return last;
}

// The end of a kernel that counts: the count, behind which a word is 0, is told where somebody listens.
__device__ __forceinline__ void publish_count(u64* count, u64* host) {
  if (host && is_last_block(count + 1) && threadIdx.x == 0) publish(host, *(volatile u64*)count, true);
}
