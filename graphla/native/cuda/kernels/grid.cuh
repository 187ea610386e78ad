// Threads that wait for each other, and sums over them.
#include "warp.cuh"

// All blocks of a cooperative launch wait here, by one thread of each. The first block adds what turns the
// top bit once all the others have added 1, so that the word never has to be cleared.
__device__ __forceinline__ void wait_for_blocks(u32* arrived) {
#ifndef SIMULATED
  const u32 TOP = 1u << 31;
  __threadfence();
  u32 before = atomicAdd(arrived, blockIdx.x == 0 ? TOP - (gridDim.x - 1) : 1u), now;
  do {
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(arrived) : "memory");
  } while (!((before ^ now) & TOP));
#endif
}

// Likewise, by all threads; then `count` words of what the blocks have written together are in `seen`,
// in shared memory: were all threads to read them, they would stand in a queue for microseconds.
__device__ __forceinline__ void grid_barrier(u32* arrived, const u64* words = nullptr, u64* seen = nullptr, int count = 0) {
  __syncthreads();
  if (threadIdx.x == 0) wait_for_blocks(arrived);
  if (threadIdx.x < WARP) {
    __syncwarp();
    for (int k = threadIdx.x; k < count; k += WARP) seen[k] = __ldcg(&words[k]);
  }
  __syncthreads();
}

__device__ __forceinline__ u64 warp_sum(u64 x) {
  for (int d = WARP / 2; d; d /= 2) x += from_lane(x, lane() ^ d);
  return x;
}

// The sum of x over the lanes up to this one.
__device__ __forceinline__ int warp_scan(int x) {
  for (int d = 1; d < WARP; d *= 2) {
    int before = from_lane(x, lane() - d);
    if (lane() >= d) x += before;
  }
  return x;
}

__device__ __forceinline__ u32 lanes_below() { return (1u << lane()) - 1; }

// What a warp appends to a list, gathered in shared memory: one atomic addition, to a counter that all
// warps share, makes room for nearly ROOM items. What is beyond the capacity is counted, but lost.
template <class Item> struct Stage {
  enum { ROOM = 128 };
  Item* buffer;  // of this warp
  int size;
  u64* count;
  Item* list;
  i64 capacity;

  __device__ __forceinline__ Stage(void* shared, u64* counter, Item* items, i64 most)
      : buffer((Item*)shared), size(0), count(counter), list(items), capacity(most) {}
  __device__ __forceinline__ i64 reserve(i64 n) {
    u64 first = 0;
    if (lane() == 0) first = atomicAdd(count, (u64)n);
    return from_lane(first, 0);
  }
  __device__ __forceinline__ void put(i64 i, const Item& item) {
    if (i < capacity) list[i] = item;
  }
  // Append the items of the lanes that have one; all lanes of the warp come here.
  __device__ __forceinline__ void push(bool has, const Item& item) {
    u32 who = ballot(has);
    if (!who) return;
    if (has) buffer[size + __popc(who & lanes_below())] = item;
    size += __popc(who);
    if (size > ROOM - WARP) flush();
  }
  __device__ __forceinline__ void flush() {
    if (!size) return;
    __syncwarp();
    i64 first = reserve(size);
    for (int k = lane(); k < size; k += WARP) put(first + k, buffer[k]);
    size = 0;
    __syncwarp();
  }
};
