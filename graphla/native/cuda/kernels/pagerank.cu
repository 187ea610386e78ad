// PageRank as one cooperative launch: sums of slices, then new ranks, until these change little.
#include "grid.cuh"
#include "slices.cuh"
#include "copy.cuh"

// Slices first..last-1 of one block of columns, whose values lie in shared memory; or, with block -1, of none.
struct Work { i32 block, first, last; };

// What blocks tell each other of an iteration. Three take turns: one is read, one is filled, one is cleared.
struct Tally { u64 taken; f64 change, lost; };
struct State {
  u32 arrived, unused;
  i64 iterations;
  f64 residual;
  Tally tallies[3];
};

enum { BATCH = 4 };  // quadruples that a lane asks for at once

// Four items that no other thread reads: what is gathered shall stay in the cache, not these.
template <class Item> struct alignas(4 * sizeof(Item)) Four { Item of[4]; };
#ifdef SIMULATED
template <class Item> __device__ __forceinline__ Four<Item> four_once(const Item* items) { return *(const Four<Item>*)items; }
__device__ __forceinline__ void add_to(T* sum, T x) { atomicAdd(sum, x); }
#else
// An addition that nobody waits for.
__device__ __forceinline__ void add_to(f32* sum, f32 x) { asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(sum), "f"(x) : "memory"); }
__device__ __forceinline__ void add_to(f64* sum, f64 x) { asm volatile("red.relaxed.gpu.global.add.f64 [%0], %1;" ::"l"(sum), "d"(x) : "memory"); }
__device__ __forceinline__ Four<u16> four_once(const u16* items) {
  uint2 x = __ldcs((const uint2*)items);
  return *(Four<u16>*)&x;
}
__device__ __forceinline__ Four<u32> four_once(const u32* items) {
  uint4 x = __ldcs((const uint4*)items);
  return *(Four<u32>*)&x;
}
#endif

// Four numbers that lie side by side, as all blocks see them now.
__device__ __forceinline__ Four<T> four_now(const T* x) {
#ifdef SIMULATED
  return *(const Four<T>*)x;
#else
  union { Four<T> all; uint4 part[sizeof(Four<T>) / 16]; } f;
#pragma unroll
  for (int k = 0; k < sizeof(Four<T>) / 16; k++) f.part[k] = __ldcg((const uint4*)x + k);
  return f.all;
#endif
}
__device__ __forceinline__ void put_four(T* x, const Four<T>& f) { *(Four<T>*)x = f; }

struct Slices {
  const i64* begins;
  const i32* rows;
};

// The sum of the values of quadruples of items, one in each 32 quadruples. All are asked for before any is used.
template <int COUNT, class Item> __device__ __forceinline__ T sum_of(const Item* items, const T* values) {
  Four<Item> f[COUNT];
  T sum = 0;
#pragma unroll
  for (int k = 0; k < COUNT; k++) f[k] = four_once(items + k * 4 * SLICE);
#pragma unroll
  for (int k = 0; k < COUNT; k++) sum += (values[f[k].of[0]] + values[f[k].of[1]]) + (values[f[k].of[2]] + values[f[k].of[3]]);
  return sum;
}

// The same of `count` quadruples, of which there are not more than MOST.
template <int MOST, class Item> __device__ __forceinline__ T sum_of_rest(i64 count, const Item* items, const T* values) {
  if constexpr (MOST > 0) return count == MOST ? sum_of<MOST>(items, values) : sum_of_rest<MOST - 1>(count, items, values);
  return 0;
}

// Slices s, s + step, ... below `last`: what each lane sums up is added to the sum of its row. Where the next slice
// lies is asked for beforehand.
template <class Item>
__device__ __forceinline__ void add_slices(const Slices& slices, const Item* items, i64 s, i64 last, i64 step, const T* values, T* sums) {
  i64 begin = s < last ? slices.begins[s] : 0, end = s < last ? slices.begins[s + 1] : 0;
  for (; s < last; s += step) {
    i64 ahead = s + step < last ? s + step : s, next = slices.begins[ahead], next_end = slices.begins[ahead + 1];
    for (int l = lane(); l < SLICE; l += WARP) {
      i32 row = once(&slices.rows[s * SLICE + l]);
      const Item* at = items + begin + 4 * l;
      i64 count = (end - begin) / (4 * SLICE);
      T sum = 0;
#pragma unroll 1
      for (; count >= BATCH; count -= BATCH, at += BATCH * 4 * SLICE) sum += sum_of<BATCH>(at, values);
      sum += sum_of_rest<BATCH - 1>(count, at, values);
      if (row >= 0) add_to(&sums[row], sum);
    }
    begin = next, end = next_end;
  }
}

struct Iteration {
  i64 n;
  const Work* works;
  i64 count;
  Slices near, far;
  const u16* near_items;
  const u32* far_items;
  T *share, *given, *rank, *sums;
};

// Copy the values of a block of columns into shared memory; there are zeros behind the last vertex.
__device__ __forceinline__ void load_block(const Iteration& it, i32 block, T* values) {
  const T* from = it.given + (i64)block * COLUMNS;
  for (int k = 16 / sizeof(T) * threadIdx.x; k < COLUMNS; k += 16 / sizeof(T) * blockDim.x) copy_16(values + k, from + k);
  if (threadIdx.x == 0) values[COLUMNS] = 0;
  wait_for_copies();
}

// Add up what all rows are given. A block asks for its next work while it does one.
__device__ __forceinline__ void add_up(const Iteration& it, u64* taken, T* values) {
  __shared__ u64 next;
  if (threadIdx.x == 0) next = atomicAdd(taken, 1ull);
  i32 loaded = -1;
  int mine = threadIdx.x / WARP, all = blockDim.x / WARP;
  for (;;) {
    __syncthreads();
    u64 w = next;
    if (w >= it.count) return;
    __syncthreads();
    Work work = it.works[w];
    if (threadIdx.x == 0) next = atomicAdd(taken, 1ull);
    if (work.block >= 0 && work.block != loaded) {
      load_block(it, loaded = work.block, values);
      __syncthreads();
    }
    if (work.block >= 0) add_slices<u16>(it.near, it.near_items, work.first + mine, work.last, all, values, it.sums);
    else add_slices<u32>(it.far, it.far_items, work.first + mine, work.last, all, it.given, it.sums);
  }
}

// The sum over the threads of a block, for its first thread.
__device__ __forceinline__ f64 block_sum(f64 x, f64* room) {
  for (int d = WARP / 2; d; d /= 2) x += from_lane(x, lane() ^ d);
  __syncthreads();
  if (lane() == 0) room[threadIdx.x / WARP] = x;
  __syncthreads();
  f64 sum = 0;
  if (threadIdx.x == 0)
    for (int k = 0; k < blockDim.x / WARP; k++) sum += room[k];
  return sum;
}

// New ranks, and what they give: a share to each neighbour. The vectors have room for whole quadruples.
__device__ __forceinline__ void renew(const Iteration& it, T base, Tally* tally) {
  __shared__ f64 room[32];
  f64 change = 0, lost = 0;
  for (i64 v = 4 * thread(); v < it.n; v += 4 * threads()) {
    Four<T> sum = four_now(it.sums + v), rank = four_now(it.rank + v), share = four_now(it.share + v), given;
#pragma unroll
    for (int k = 0; k < 4; k++) {
      bool is = v + k < it.n;  // behind the last vertex, `given` stays 0
      T now = base + sum.of[k], before = rank.of[k];
      rank.of[k] = now;
      given.of[k] = is ? now * share.of[k] : T(0);
      if (is) change += now > before ? now - before : before - now;
      if (is && share.of[k] == T(0)) lost += now;
    }
    put_four(it.sums + v, Four<T>());
    put_four(it.rank + v, rank);
    put_four(it.given + v, given);
  }
  change = block_sum(change, room);
  lost = block_sum(lost, room);
  if (threadIdx.x == 0) {
    atomicAdd(&tally->change, change);
    atomicAdd(&tally->lost, lost);
  }
}

extern "C" __global__ void __launch_bounds__(1024, 1)
    pagerank(i64 n, i64 all, i64 dangling, const Offset* out_ends, const i32* number, i64 count, const Work* works,
             const i64* near_begins, const i32* near_rows, const u16* near_items, const i64* far_begins, const i32* far_rows,
             const u32* far_items, T* share, T* given, T* rank, T* sums, T* result, State* state, f64 damping, f64 tol, i64 max_iter,
             i64 refill) {
  SHARED_ARRAY(T, values);
  __shared__ Tally seen;
  Iteration it = {n, works, count, {near_begins, near_rows}, {far_begins, far_rows}, near_items, far_items, share, given, rank, sums};
  i64 isolated = all - n;
  f64 lost = (f64)dangling / all, residual = 0;
  T alone = T(1.0 / all);  // the rank of an isolated vertex

  for (i64 v = thread(); v < n; v += threads()) {
    i64 degree = out_ends[v + 1] - out_ends[v];
    share[v] = degree ? T(damping / degree) : T(0);
    rank[v] = alone, given[v] = alone * share[v], sums[v] = 0;
  }
  for (i64 v = n + thread(); v < (n / COLUMNS + 1) * COLUMNS; v += threads()) given[v] = 0;
  grid_barrier(&state->arrived);
  i64 i = 0;
  while (i < max_iter) {
    Tally* tally = &state->tallies[i % 3];
    if (thread() == 0) {
      Tally* next = &state->tallies[(i + 1) % 3];
      next->taken = 0, next->change = next->lost = 0;
    }
    add_up(it, &tally->taken, values);
    grid_barrier(&state->arrived);
    T base = T((1 - damping) / all + (refill ? damping * lost / all : 0));
    renew(it, base, tally);
    grid_barrier(&state->arrived);
    if (threadIdx.x == 0) seen.change = __ldcg(&tally->change), seen.lost = __ldcg(&tally->lost);
    __syncthreads();
    residual = seen.change + isolated * (f64)(base > alone ? base - alone : alone - base);
    lost = seen.lost + isolated * (f64)base;
    alone = base;
    i++;
    if (residual < tol) break;
  }
  if (thread() == 0) state->iterations = i, state->residual = residual;
  for (i64 v = thread(); v < all; v += threads()) result[v] = number[v] >= 0 ? rank[number[v]] : alone;
}
