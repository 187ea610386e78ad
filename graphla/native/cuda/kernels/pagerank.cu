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

enum { BATCH = 4 };

// Four items that no other thread reads: what is gathered shall stay in the cache, not these.
template <class Item> struct alignas(4 * sizeof(Item)) Four { Item of[4]; };
#ifdef SIMULATED
template <class Item> __device__ __forceinline__ Four<Item> four_once(const Item* items) { return *(const Four<Item>*)items; }
#else
__device__ __forceinline__ Four<u16> four_once(const u16* items) {
  uint2 x = __ldcs((const uint2*)items);
  return *(Four<u16>*)&x;
}
__device__ __forceinline__ Four<u32> four_once(const u32* items) {
  uint4 x = __ldcs((const uint4*)items);
  return *(Four<u32>*)&x;
}
#endif

struct Slices {
  const i64* begins;
  const i32* rows;
};

// Slices s, s + step, ... below `last`: what each lane sums up is added to the sum of its row. All that a lane
// needs of BATCH quadruples, and where the next slice lies, is asked for before any of it is used.
template <class Item>
__device__ __forceinline__ void add_slices(const Slices& slices, const Item* items, i64 s, i64 last, i64 step, const T* values, Item none, T* sums) {
  const Four<Item> nothing = {{none, none, none, none}};
  i64 begin = s < last ? slices.begins[s] : 0, end = s < last ? slices.begins[s + 1] : 0;
  for (; s < last; s += step) {
    i64 ahead = s + step < last ? s + step : s, next = slices.begins[ahead], next_end = slices.begins[ahead + 1];
    for (int l = lane(); l < SLICE; l += WARP) {
      i32 row = once(&slices.rows[s * SLICE + l]);
      T sum = 0;
      for (i64 p = begin + 4 * l; p < end; p += BATCH * 4 * SLICE) {
        Four<Item> f[BATCH];
#pragma unroll
        for (int k = 0; k < BATCH; k++) f[k] = p + k * 4 * SLICE < end ? four_once(&items[p + k * 4 * SLICE]) : nothing;
#pragma unroll
        for (int k = 0; k < BATCH; k++) sum += (values[f[k].of[0]] + values[f[k].of[1]]) + (values[f[k].of[2]] + values[f[k].of[3]]);
      }
      if (row >= 0) atomicAdd(&sums[row], sum);
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
__device__ __noinline__ void add_up(const Iteration& it, u64* taken, T* values) {
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
    if (work.block >= 0) add_slices<u16>(it.near, it.near_items, work.first + mine, work.last, all, values, COLUMNS, it.sums);
    else add_slices<u32>(it.far, it.far_items, work.first + mine, work.last, all, it.given, it.n, it.sums);
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

// New ranks, and what they give: a share to each neighbour.
__device__ __noinline__ void renew(const Iteration& it, T base, Tally* tally) {
  __shared__ f64 room[32];
  f64 change = 0, lost = 0;
#pragma unroll 4
  for (i64 v = thread(); v < it.n; v += threads()) {
    T now = base + __ldcg(&it.sums[v]), before = it.rank[v], share = it.share[v];
    it.sums[v] = 0;
    it.rank[v] = now;
    it.given[v] = now * share;
    change += now > before ? now - before : before - now;
    if (share == T(0)) lost += now;
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
