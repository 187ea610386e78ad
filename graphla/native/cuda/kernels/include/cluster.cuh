// A launch of one cluster: its blocks, which run at once, see each other's shared memory.
#include "warp.cuh"

#ifdef SIMULATED
#define CLUSTER(blocks)
#else
#define CLUSTER(blocks) __cluster_dims__(blocks, 1, 1)
#endif

#ifdef SIMULATED
static char* places[64];  // of one variable in the shared memory of each block, from which others are as far in all of them
__shared__ char place;
template <class T> __device__ __forceinline__ T* in_block(T* mine, int block) { return (T*)(places[block] + ((char*)mine - &place)); }
template <class T> __device__ __forceinline__ T read_in(const T* mine, int block) { return __ldcg(in_block(mine, block)); }
__device__ __forceinline__ void write_in(u32* mine, int block, u32 value) { *in_block(mine, block) = value; }
#else
__device__ __forceinline__ u32 in_block(const void* mine, int block) {
  u32 there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"((u32)__cvta_generic_to_shared(mine)), "r"(block));
  return there;
}
// What another block has where this one has *mine: 8 bytes.
template <class T> __device__ __forceinline__ T read_in(const T* mine, int block) {
  static_assert(sizeof(T) == 8, "two words");
  u64 found;
  asm volatile("ld.shared::cluster.u64 %0, [%1];" : "=l"(found) : "r"(in_block(mine, block)) : "memory");
  return *(T*)&found;
}
__device__ __forceinline__ void write_in(u32* mine, int block, u32 value) {
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(in_block(mine, block)), "r"(value) : "memory");
}
#endif

// Wait for all blocks. The threads of a block have met before; what they have written its first warp makes known, as
// the others would take long to do the same.
__device__ __forceinline__ void cluster_barrier() {
#ifdef SIMULATED
  places[blockIdx.x] = &place;
  __syncthreads();
  if (threadIdx.x == 0) wait_for_all_blocks();
  __syncthreads();
#else
  __syncwarp();
  if (threadIdx.x < WARP) asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  else asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}
