// Row sums over sliced ELLPACK, for any kind of terms.
//
// Work split: tasks are runs of slices of about equally many items; thread blocks take them from a counter. A warp takes
// every (warps per block)-th slice of its block's task, a lane sums one piece.
// Memory: items are read once with streaming loads; values of near columns are looked up in shared memory, into which
// the block of columns is copied when it changes.
// Source: Beamer, Asanovic, Patterson, IPDPS 2017 (blocks of columns).
//
// The caller's type Terms says what is summed:
//   Sum; Loaded<N>: N loaded items; BATCH: groups of 4 items that a lane loads together; ALL: no row is excluded
//   start()            the empty sum                 is_open(row)       whether the row's sum is wanted
//   load<N>(place)     load N items                  add(sum, loaded)   add the values of these items
//   add_to_row(row, z) add a piece's sum to its row  padding()          an item that does not change a sum
#include "sliced_ell.cuh"

// Slices first..last-1, all of one block of columns; block -1: far slices, whose columns are looked up in global memory.
struct Task { i32 block, first, last; };

struct SliceItems {
  i64 begin;
  int width;  // items of a lane
};

struct Slices {
  const i64* offsets;
  const i32* rows;
  __device__ __forceinline__ SliceItems items_of(i64 s, i64 last) const {
    if (s >= last) return {0, 0};
    i64 begin = offsets[s];
    return {begin, (int)((offsets[s + 1] - begin) / SLICE)};
  }
};

// N consecutive elements, loaded with the streaming policy in units of 4, 8 or 16 bytes: no other thread reads them, so
// they should not evict the values that are looked up.
template <class X, int N> struct alignas(N * sizeof(X)) Group { X of[N]; };
template <int N, class X> __device__ __forceinline__ Group<X, N> load_group(const X* x) {
  if constexpr (N == 1) return {load_streaming(x)};
#ifdef SIMULATED
  return *(const Group<X, N>*)x;
#else
  union { Group<X, N> all; u32 word; uint2 two; uint4 part[(sizeof(X) * N + 15) / 16]; } bits;
  if constexpr (sizeof(bits.all) == 4) bits.word = __ldcs((const u32*)x);
  else if constexpr (sizeof(bits.all) == 8) bits.two = __ldcs((const uint2*)x);
  else
#pragma unroll
    for (int k = 0; k < sizeof(bits.all) / 16; k++) bits.part[k] = __ldcs((const uint4*)x + k);
  return bits.all;
#endif
}

// Add COUNT groups of N items of this lane, which are N * SLICE items apart; all loads are issued before the first use.
template <int COUNT, int N, class Terms> __device__ __forceinline__ void add_groups(const Terms& terms, i64 place, typename Terms::Sum& sum) {
  typename Terms::template Loaded<N> loaded[COUNT];
#pragma unroll
  for (int k = 0; k < COUNT; k++) loaded[k] = terms.template load<N>(place + k * N * SLICE);
#pragma unroll
  for (int k = 0; k < COUNT; k++) terms.add(sum, loaded[k]);
}

// The same for `count` groups, at most MAX_COUNT.
template <int MAX_COUNT, int N, class Terms> __device__ __forceinline__ void add_rest(const Terms& terms, int count, i64 place, typename Terms::Sum& sum) {
  if constexpr (MAX_COUNT > 0) {
    if (count == MAX_COUNT) add_groups<MAX_COUNT, N>(terms, place, sum);
    else add_rest<MAX_COUNT - 1, N>(terms, count, place, sum);
  }
}

// Sum the pieces of slices s, s + step, ... below `last` into their rows. A warp has few loads in flight, so loads are
// issued early: the offsets of the next slice before this slice is summed, the single items before the groups of 4.
template <class Terms> __device__ __forceinline__ void sum_slices(const Slices& slices, i64 s, i64 last, i64 step, const Terms& terms) {
  const int BATCH = Terms::BATCH;
  SliceItems now = slices.items_of(s, last);
  for (; s < last; s += step) {
    SliceItems next = slices.items_of(s + step, last);
    for (int l = lane(); l < SLICE; l += WARP) {
      i32 row = load_streaming(&slices.rows[s * SLICE + l]);
      bool is_open = terms.is_open(row);
      int width = Terms::ALL || is_open ? now.width : 0, count = width / 4;  // ALL: the items' loads do not wait for `row`
      i64 place = now.begin + 4 * l, single = now.begin + 4 * count * SLICE + l;
      typename Terms::Sum sum = terms.start();
      typename Terms::template Loaded<1> rest[3];
#pragma unroll
      for (int k = 0; k < 3; k++) rest[k] = k < width % 4 ? terms.template load<1>(single + k * SLICE) : terms.padding();
#pragma unroll 1
      for (; count >= BATCH; count -= BATCH, place += BATCH * 4 * SLICE) add_groups<BATCH, 4>(terms, place, sum);
      add_rest<BATCH - 1, 4>(terms, count, place, sum);
#pragma unroll
      for (int k = 0; k < 3; k++) terms.add(sum, rest[k]);
      if (is_open) terms.add_to_row(row, sum);
    }
    now = next;
  }
}

// Distribute tasks over all thread blocks: load_values(block) copies the values of a block of columns into shared memory,
// run(task, s, last, step) sums the slices s, s + step, ... below `last`. The next task is taken while one runs.
template <class LoadValues, class Run> __device__ __forceinline__ void for_each_task(const Task* tasks, i64 count, u64* tasks_taken, LoadValues load_values, Run run) {
  __shared__ u64 next;
  if (threadIdx.x == 0) next = atomicAdd(tasks_taken, 1ull);
  i32 loaded_block = -1;
  for (;;) {
    __syncthreads();
    u64 number = next;
    if (number >= count) return;
    __syncthreads();
    Task task = tasks[number];
    if (threadIdx.x == 0) next = atomicAdd(tasks_taken, 1ull);
    if (task.block >= 0 && task.block != loaded_block) {
      load_values(loaded_block = task.block);
      __syncthreads();
    }
    run(task, (i64)task.first + threadIdx.x / WARP, (i64)task.last, (i64)blockDim.x / WARP);
  }
}
