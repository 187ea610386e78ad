// Threads that wait for each other, and sums over them.
#include "warp.cuh"

// All blocks of a cooperative launch wait here, by one thread of each. The first block adds what turns the
// top bit once all the others have added 1, so that the word never has to be cleared.
__device__ __forceinline__ void wait_for_blocks(u32* arrived) {
#ifdef SIMULATED
  wait_for_all_blocks();
#else
  const u32 TOP = 1u << 31;
  __threadfence();
  u32 before = atomicAdd(arrived, blockIdx.x == 0 ? TOP - (gridDim.x - 1) : 1u), now;
  do {
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(arrived) : "memory");
  } while (!((before ^ now) & TOP));
#endif
}

__device__ __forceinline__ void grid_barrier(u32* arrived) {
  __syncthreads();
  if (threadIdx.x == 0) wait_for_blocks(arrived);
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

// The lane whose share contains item i, where `end` are the lanes' sums by warp_scan: so many end at it or before.
__device__ __forceinline__ int place_of(int end, int i) {
  int l = 0;
  for (int step = WARP / 2; step; step /= 2) l += from_lane(end, l + step - 1) <= i ? step : 0;
  return l;
}

__device__ __forceinline__ u32 lanes_below() { return (1u << lane()) - 1; }

// Append `size` items of a warp's buffer to a list; what is beyond its capacity is counted, but lost. Apart
// from its callers, as it is long and rare.
template <class Item> __device__ __noinline__ void append_all(const Item* buffer, int size, u64* count, Item* list, i64 capacity) {
  __syncwarp();
  u64 first = 0;
  if (lane() == 0) first = atomicAdd(count, (u64)size);
  first = from_lane(first, 0);
#pragma unroll 1
  for (int k = lane(); k < size; k += WARP)
    if (first + k < capacity) list[first + k] = buffer[k];
  __syncwarp();
}

// Likewise for all warps of a block, which come here together: thousands of warps that ended with an addition of
// their own would stand in a queue at the counter.
template <class Item> __device__ __noinline__ void append_block(const Item* buffer, int size, u64* count, Item* list, i64 capacity) {
  __shared__ u32 total;
  __shared__ u64 first;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  u32 place = 0;
  if (lane() == 0) place = atomicAdd(&total, (u32)size);
  place = from_lane(place, 0);
  __syncthreads();
  if (threadIdx.x == 0 && total) first = atomicAdd(count, (u64)total);
  __syncthreads();
#pragma unroll 1
  for (int k = lane(); k < size; k += WARP)
    if (first + place + k < capacity) list[first + place + k] = buffer[k];
}

// What a warp appends to a list, gathered in shared memory: one atomic addition, to a counter that all warps
// share, makes room for many items.
template <class Item> struct Stage {
  enum { BYTES = 2048, ROOM = BYTES / sizeof(Item) };
  Item* buffer;  // of this warp
  int size;
  u64* count;
  Item* list;
  i64 capacity;

  __device__ __forceinline__ Stage(void* shared, u64* counter, Item* items, i64 most)
      : buffer((Item*)shared), size(0), count(counter), list(items), capacity(most) {}
  // Take the items of the lanes that have one; all lanes of the warp come here. There is room for `times`
  // calls after `spill(times)`.
  __device__ __forceinline__ void gather(bool has, const Item& item) {
    u32 who = ballot(has);
    if (has) buffer[size + __popc(who & lanes_below())] = item;
    size += __popc(who);
  }
  __device__ __forceinline__ void spill(int times) {
    if (size > ROOM - times * WARP) flush();
  }
  __device__ __forceinline__ void push(bool has, const Item& item) {
    gather(has, item);
    spill(1);
  }
  // The end, for all threads of the block.
  __device__ __forceinline__ void finish() { append_block(buffer, size, count, list, capacity); }
  __device__ __forceinline__ void flush() {
    if (size) append_all(buffer, size, count, list, capacity);
    size = 0;
  }
};
