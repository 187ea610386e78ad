// Barriers between all blocks of a launch, scans and sums over a warp, and AppendBuffer: lists that many warps append to.
#include "warp.cuh"

// Barrier of all blocks of a cooperative launch; one thread of each block calls it. Every block but the first adds 1 to
// `arrived`; the first adds what is missing to flip the top bit. So the counter never has to be reset.
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

// Barrier of all threads of a cooperative launch.
__device__ __forceinline__ void grid_barrier(u32* arrived) {
  __syncthreads();
  if (threadIdx.x == 0) wait_for_blocks(arrived);
  __syncthreads();
}

// The sum of x over the warp, in every lane.
__device__ __forceinline__ u64 warp_sum(u64 x) {
  for (int distance = WARP / 2; distance; distance /= 2) x += from_lane(x, lane() ^ distance);
  return x;
}

// Inclusive prefix sum of x over the lanes, in 32 bits (inclusive_scan: in 64).
__device__ __forceinline__ int warp_scan(int x) {
  for (int distance = 1; distance < WARP; distance *= 2) {
    int before = from_lane(x, lane() - distance);
    if (lane() >= distance) x += before;
  }
  return x;
}

// The lane that owns work item `item` if lane l owns the items below end[l] and not below end[l - 1], by binary search
// over the lanes. `end` is this lane's warp_scan of item counts.
__device__ __forceinline__ int owner_lane(int end, int item) {
  int owner = 0;
  for (int step = WARP / 2; step; step /= 2) owner += from_lane(end, owner + step - 1) <= item ? step : 0;
  return owner;
}

__device__ __forceinline__ u32 lanes_below_mask() { return (1u << lane()) - 1; }

// Append the `size` items of a warp's buffer to `list`. Items beyond `capacity` are counted, but not written. Not
// inlined: it is long and called rarely.
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

// The same for all warps of a block (all threads of the block must call this): one atomic addition to the list's counter per
// block instead of one per warp.
template <class Item> __device__ __noinline__ void append_block(const Item* buffer, int size, u64* count, Item* list, i64 capacity) {
  __shared__ u32 block_size;
  __shared__ u64 first;
  if (threadIdx.x == 0) block_size = 0;
  __syncthreads();
  u32 offset = 0;
  if (lane() == 0) offset = atomicAdd(&block_size, (u32)size);
  offset = from_lane(offset, 0);
  __syncthreads();
  if (threadIdx.x == 0 && block_size) first = atomicAdd(count, (u64)block_size);
  __syncthreads();
#pragma unroll 1
  for (int k = lane(); k < size; k += WARP)
    if (first + offset + k < capacity) list[first + offset + k] = buffer[k];
}

// Warp-aggregated append: each warp collects items in a buffer of BYTES bytes of shared memory and moves a full buffer
// to the global list with one atomic addition to the list's counter. All lanes of the warp call each method.
template <class Item> struct AppendBuffer {
  enum { BYTES = 2048, CAPACITY = BYTES / sizeof(Item) };
  Item* buffer;  // this warp's part of shared memory
  int size;
  u64* count;  // of the list
  Item* list;
  i64 capacity;  // of the list

  __device__ __forceinline__ AppendBuffer(void* shared_buffer, u64* list_count, Item* list_items, i64 list_capacity)
      : buffer((Item*)shared_buffer), size(0), count(list_count), list(list_items), capacity(list_capacity) {}
  // Buffer the items of the lanes with `has_item`. The caller has reserved space.
  __device__ __forceinline__ void add(bool has_item, const Item& item) {
    u32 lanes = ballot(has_item);
    if (has_item) buffer[size + __popc(lanes & lanes_below_mask())] = item;
    size += __popc(lanes);
  }
  // Make space for `calls` calls of add.
  __device__ __forceinline__ void reserve(int calls) {
    if (size > CAPACITY - calls * WARP) flush_warp();
  }
  __device__ __forceinline__ void append(bool has_item, const Item& item) {
    add(has_item, item);
    reserve(1);
  }
  // Move the rest to the list at the end; all threads of the block must call this.
  __device__ __forceinline__ void flush_block() { append_block(buffer, size, count, list, capacity); }
  __device__ __forceinline__ void flush_warp() {
    if (size) append_all(buffer, size, count, list, capacity);
    size = 0;
  }
};
