// PageRank in one cooperative launch:
//     r(v) = base + sum of contribution(u) over edges u -> v,    contribution(u) = d r(u) / degree(u)
//     base = (1 - d) / n + d * (sum of r over dangling vertices) / n;  the second term only if `refill`
// until the L1 change of r is below `tol`. Isolated vertices, which are not numbered, all have the rank `base`.
//
// Work split: each iteration sums contributions over sliced ELLPACK (sliced_ell_sum.cuh), thread blocks taking tasks from a
// counter, then computes new ranks, 4 vertices per thread; grid barriers between the two.
// Conflicts: sums of pieces of a row are added by atomics without result, so the last bits of ranks may differ from run to run.
// Memory: contributions of near columns are copied to shared memory by blocks of COLUMNS, and looked up there; others are looked
// up in global memory. Reads all items and four vectors per iteration, writes three.
// Source: A. Langville, C. Meyer, Internet Mathematics 1 (2004); S. Beamer, K. Asanovic, D. Patterson, IPDPS 2017.
#include "grid.cuh"
#include "sliced_ell_sum.cuh"
#include "atomic_reduction.cuh"
#include "async_copy.cuh"

// What the blocks accumulate together in an iteration: the counter of tasks, the L1 change, the rank of dangling vertices. Of three
// tallies one is used, the next is cleared, and the last may still be read.
struct Tally { u64 tasks_taken; f64 change, dangling_rank; };
struct State {
  u32 arrived, unused;
  i64 iterations;
  f64 residual;
  Tally tallies[3];
};

typedef Group<T, 4> Four;

// Four consecutive numbers that other blocks wrote: read from the L2 cache.
__device__ __forceinline__ Four load_four(const T* x) {
#ifdef SIMULATED
  return *(const Four*)x;
#else
  union { Four all; uint4 part[sizeof(Four) / 16]; } bits;
#pragma unroll
  for (int k = 0; k < sizeof(Four) / 16; k++) bits.part[k] = __ldcg((const uint4*)x + k);
  return bits.all;
#endif
}
__device__ __forceinline__ void store_four(T* x, const Four& four) { *(Four*)x = four; }

// The terms of the sums (sliced_ell_sum.cuh): an item is the index of a contribution; `padding_item` that of a 0.
template <class Item> struct Contributions {
  typedef T Sum;
  template <int N> using Loaded = Group<Item, N>;
  enum { BATCH = 4, ALL = true };
  const Item* items;
  const T* values;
  Item padding_item;
  T* sums;
  __device__ __forceinline__ T start() const { return 0; }
  __device__ __forceinline__ bool is_open(i32 row) const { return row >= 0; }
  __device__ __forceinline__ Group<Item, 1> padding() const { return {padding_item}; }
  template <int N> __device__ __forceinline__ Group<Item, N> load(i64 place) const { return load_group<N>(items + place); }
  __device__ __forceinline__ void add(T& sum, const Group<Item, 1>& item) const { sum += values[item.of[0]]; }
  __device__ __forceinline__ void add(T& sum, const Group<Item, 4>& item) const {
    sum += (values[item.of[0]] + values[item.of[1]]) + (values[item.of[2]] + values[item.of[3]]);
  }
  __device__ __forceinline__ void add_to_row(i32 row, T sum) const { REDUCTION(atomicAdd)(&sums[row], sum); }
};

struct Iteration {
  i64 n;
  const Task* tasks;
  i64 task_count;
  Slices near, far;
  const u16* near_items;
  const u32* far_items;
  T *shares, *contributions, *ranks, *sums;  // shares: d / degree
};

// Copy the contributions of a block of columns into shared memory, followed by a 0 for padding.
__device__ __forceinline__ void load_columns(const Iteration& iteration, i32 block, T* values) {
  const T* block_contributions = iteration.contributions + (i64)block * COLUMNS;
  for (int k = 16 / sizeof(T) * threadIdx.x; k < COLUMNS; k += 16 / sizeof(T) * blockDim.x) async_copy_16(values + k, block_contributions + k);
  if (threadIdx.x == 0) values[COLUMNS] = 0;
  wait_for_copies();
}

// sums(v) += contribution(u) over all edges u -> v.
__device__ __forceinline__ void sum_contributions(const Iteration& iteration, u64* tasks_taken, T* values) {
  for_each_task(
      iteration.tasks, iteration.task_count, tasks_taken, [&](i32 block) { load_columns(iteration, block, values); },
      [&](const Task& task, i64 s, i64 last, i64 step) {
        if (task.block >= 0) sum_slices(iteration.near, s, last, step, Contributions<u16>{iteration.near_items, values, COLUMNS, iteration.sums});
        else sum_slices(iteration.far, s, last, step, Contributions<u32>{iteration.far_items, iteration.contributions, (u32)iteration.n, iteration.sums});
      });
}

// Sum over the threads of a block; the result is in its thread 0.
__device__ __forceinline__ f64 block_sum(f64 x, f64* warp_sums) {
  for (int distance = WARP / 2; distance; distance /= 2) x += from_lane(x, lane() ^ distance);
  __syncthreads();
  if (lane() == 0) warp_sums[threadIdx.x / WARP] = x;
  __syncthreads();
  f64 sum = 0;
  if (threadIdx.x == 0)
    for (int k = 0; k < blockDim.x / WARP; k++) sum += warp_sums[k];
  return sum;
}

// New ranks and contributions from the sums, which are cleared. The vectors are padded, so that four elements can be accessed at
// once; padding of `contributions` stays 0.
__device__ __forceinline__ void update_ranks(const Iteration& iteration, T base, Tally* tally) {
  __shared__ f64 warp_sums[32];
  f64 change = 0, dangling_rank = 0;
  for (i64 v = 4 * thread(); v < iteration.n; v += 4 * threads()) {
    Four sum = load_four(iteration.sums + v), rank = load_four(iteration.ranks + v), share = load_four(iteration.shares + v), contribution;
#pragma unroll
    for (int k = 0; k < 4; k++) {
      bool is_vertex = v + k < iteration.n;
      T new_rank = base + sum.of[k], old_rank = rank.of[k];
      rank.of[k] = new_rank;
      contribution.of[k] = is_vertex ? new_rank * share.of[k] : T(0);
      if (is_vertex) change += new_rank > old_rank ? new_rank - old_rank : old_rank - new_rank;
      if (is_vertex && share.of[k] == T(0)) dangling_rank += new_rank;
    }
    store_four(iteration.sums + v, Four());
    store_four(iteration.ranks + v, rank);
    store_four(iteration.contributions + v, contribution);
  }
  change = block_sum(change, warp_sums);
  dangling_rank = block_sum(dangling_rank, warp_sums);
  if (threadIdx.x == 0) {
    atomicAdd(&tally->change, change);
    atomicAdd(&tally->dangling_rank, dangling_rank);
  }
}

// all_n: vertices of the graph, n of them with an edge; numbers[v]: the number of v among these, or -1. `state` is 0 before.
extern "C" __global__ void __launch_bounds__(1024, 1)
    pagerank(i64 n, i64 all_n, i64 dangling, const Offset* out_offsets, const i32* numbers, i64 task_count, const Task* tasks,
             const i64* near_offsets, const i32* near_rows, const u16* near_items, const i64* far_offsets, const i32* far_rows,
             const u32* far_items, T* shares, T* contributions, T* ranks, T* sums, T* result, State* state, f64 damping, f64 tol, i64 max_iter,
             i64 refill) {
  SHARED_ARRAY(T, values);
  __shared__ Tally shared_tally;
  Iteration iteration = {n, tasks, task_count, {near_offsets, near_rows}, {far_offsets, far_rows}, near_items, far_items,
                  shares, contributions, ranks, sums};
  i64 isolated = all_n - n;
  f64 dangling_rank = (f64)dangling / all_n, residual = 0;
  T isolated_rank = T(1.0 / all_n);

  // Up to the next multiple of 4: update_ranks loads four elements at once.
  for (i64 v = thread(); v < (n + 3) / 4 * 4; v += threads()) {
    i64 degree = v < n ? out_offsets[v + 1] - out_offsets[v] : 0;
    shares[v] = degree ? T(damping / degree) : T(0);
    ranks[v] = isolated_rank, contributions[v] = isolated_rank * shares[v], sums[v] = 0;
  }
  for (i64 v = n + thread(); v < (n / COLUMNS + 1) * COLUMNS; v += threads()) contributions[v] = 0;
  grid_barrier(&state->arrived);
  i64 i = 0;
  while (i < max_iter) {
    Tally* tally = &state->tallies[i % 3];
    if (thread() == 0) {
      Tally* next = &state->tallies[(i + 1) % 3];
      next->tasks_taken = 0, next->change = next->dangling_rank = 0;
    }
    sum_contributions(iteration, &tally->tasks_taken, values);
    grid_barrier(&state->arrived);
    T base = T((1 - damping) / all_n + (refill ? damping * dangling_rank / all_n : 0));
    update_ranks(iteration, base, tally);
    grid_barrier(&state->arrived);
    if (threadIdx.x == 0) shared_tally.change = __ldcg(&tally->change), shared_tally.dangling_rank = __ldcg(&tally->dangling_rank);
    __syncthreads();
    residual = shared_tally.change + isolated * (f64)(base > isolated_rank ? base - isolated_rank : isolated_rank - base);
    dangling_rank = shared_tally.dangling_rank + isolated * (f64)base;
    isolated_rank = base;
    i++;
    if (residual < tol) break;
  }
  if (thread() == 0) state->iterations = i, state->residual = residual;
  for (i64 v = thread(); v < all_n; v += threads()) result[v] = numbers[v] >= 0 ? ranks[numbers[v]] : isolated_rank;
}
