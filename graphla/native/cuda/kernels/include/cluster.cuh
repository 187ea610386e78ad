// A launch of one thread block cluster: its blocks run at once and access each other's shared memory.
#include "warp.cuh"

#ifdef SIMULATED
#define CLUSTER(blocks)
#else
#define CLUSTER(blocks) __cluster_dims__(blocks, 1, 1)
#endif

// address_in_block(p, block): the address in another block of the shared variable that this block has at p.
#ifdef SIMULATED
// The address of `anchor` in each block; other shared variables are at the same distance from it in all blocks.
static char* anchors[64];
__shared__ char anchor;
template <class T> __device__ __forceinline__ T* address_in_block(T* local, int block) { return (T*)(anchors[block] + ((char*)local - &anchor)); }
template <class T> __device__ __forceinline__ T read_from_block(const T* local, int block) { return __ldcg(address_in_block(local, block)); }
__device__ __forceinline__ void write_to_block(u32* local, int block, u32 value) { *address_in_block(local, block) = value; }
#else
__device__ __forceinline__ u32 address_in_block(const void* local, int block) {
  u32 remote;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"((u32)__cvta_generic_to_shared(local)), "r"(block));
  return remote;
}
// The value, of 8 bytes, of a shared variable in another block.
template <class T> __device__ __forceinline__ T read_from_block(const T* local, int block) {
  static_assert(sizeof(T) == 8, "two words");
  u64 value;
  asm volatile("ld.shared::cluster.u64 %0, [%1];" : "=l"(value) : "r"(address_in_block(local, block)) : "memory");
  return *(T*)&value;
}
__device__ __forceinline__ void write_to_block(u32* local, int block, u32 value) {
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(address_in_block(local, block)), "r"(value) : "memory");
}
#endif

// Barrier of all threads of the cluster. The caller has synchronised the threads of its block before, so that it is enough that
// the first warp arrives with release semantics, which costs more than a relaxed arrival.
__device__ __forceinline__ void cluster_barrier() {
#ifdef SIMULATED
  anchors[blockIdx.x] = &anchor;
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
