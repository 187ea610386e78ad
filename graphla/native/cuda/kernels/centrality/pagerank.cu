// PageRank as one cooperative launch: sums of slices, then new ranks, until these change little.
#include "grid.cuh"
#include "sliced_ell_sum.cuh"
#include "atomic_reduction.cuh"
#include "async_copy.cuh"

// What blocks tell each other of an iteration. Three take turns: one is read, one is filled, one is cleared.
struct Tally { u64 taken; f64 change, lost; };
struct State {
  u32 arrived, unused;
  i64 iterations;
  f64 residual;
  Tally tallies[3];
};

typedef Group<T, 4> Four;

// Four numbers that lie side by side, as all blocks see them now.
__device__ __forceinline__ Four four_now(const T* x) {
#ifdef SIMULATED
  return *(const Four*)x;
#else
  union { Four all; uint4 part[sizeof(Four) / 16]; } f;
#pragma unroll
  for (int k = 0; k < sizeof(Four) / 16; k++) f.part[k] = __ldcg((const uint4*)x + k);
  return f.all;
#endif
}
__device__ __forceinline__ void put_four(T* x, const Four& f) { *(Four*)x = f; }

// What is added up of items: values that they number. What fills up has a value, 0.
template <class Item> struct Given {
  typedef T Sum;
  template <int N> using Loaded = Group<Item, N>;
  enum { BATCH = 4, ALL = true };
  const Item* items;
  const T* values;
  Item none;
  T* sums;
  __device__ __forceinline__ T start() const { return 0; }
  __device__ __forceinline__ bool is_open(i32 row) const { return row >= 0; }
  __device__ __forceinline__ Group<Item, 1> padding() const { return {none}; }
  template <int N> __device__ __forceinline__ Group<Item, N> load(i64 place) const { return load_group<N>(items + place); }
  __device__ __forceinline__ void add(T& sum, const Group<Item, 1>& f) const { sum += values[f.of[0]]; }
  __device__ __forceinline__ void add(T& sum, const Group<Item, 4>& f) const {
    sum += (values[f.of[0]] + values[f.of[1]]) + (values[f.of[2]] + values[f.of[3]]);
  }
  __device__ __forceinline__ void add_to_row(i32 row, T sum) const { REDUCTION(atomicAdd)(&sums[row], sum); }
};

struct Iteration {
  i64 n;
  const Task* tasks;
  i64 count;
  Slices near, far;
  const u16* near_items;
  const u32* far_items;
  T *share, *given, *rank, *sums;
};

// Copy the values of a block of columns into shared memory; there are zeros behind the last vertex.
__device__ __forceinline__ void load_block(const Iteration& it, i32 block, T* values) {
  const T* from = it.given + (i64)block * COLUMNS;
  for (int k = 16 / sizeof(T) * threadIdx.x; k < COLUMNS; k += 16 / sizeof(T) * blockDim.x) async_copy_16(values + k, from + k);
  if (threadIdx.x == 0) values[COLUMNS] = 0;
  wait_for_copies();
}

// Add up what all rows are given.
__device__ __forceinline__ void add_up(const Iteration& it, u64* taken, T* values) {
  for_each_task(
      it.tasks, it.count, taken, [&](i32 block) { load_block(it, block, values); },
      [&](const Task& task, i64 s, i64 last, i64 step) {
        if (task.block >= 0) sum_slices(it.near, s, last, step, Given<u16>{it.near_items, values, COLUMNS, it.sums});
        else sum_slices(it.far, s, last, step, Given<u32>{it.far_items, it.given, (u32)it.n, it.sums});
      });
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
    Four sum = four_now(it.sums + v), rank = four_now(it.rank + v), share = four_now(it.share + v), given;
#pragma unroll
    for (int k = 0; k < 4; k++) {
      bool is = v + k < it.n;  // behind the last vertex, `given` stays 0
      T now = base + sum.of[k], before = rank.of[k];
      rank.of[k] = now;
      given.of[k] = is ? now * share.of[k] : T(0);
      if (is) change += now > before ? now - before : before - now;
      if (is && share.of[k] == T(0)) lost += now;
    }
    put_four(it.sums + v, Four());
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
    pagerank(i64 n, i64 all, i64 dangling, const Offset* out_ends, const i32* number, i64 count, const Task* tasks,
             const i64* near_begins, const i32* near_rows, const u16* near_items, const i64* far_begins, const i32* far_rows,
             const u32* far_items, T* share, T* given, T* rank, T* sums, T* result, State* state, f64 damping, f64 tol, i64 max_iter,
             i64 refill) {
  SHARED_ARRAY(T, values);
  __shared__ Tally seen;
  Iteration it = {n, tasks, count, {near_begins, near_rows}, {far_begins, far_rows}, near_items, far_items, share, given, rank, sums};
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
