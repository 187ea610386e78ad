// Triangles:  count = sum over v of the paths (u, v, w), w < v < u, with w in N(v) and in N(u)   (triangles.cuh)
//
// Work split: a team (a block for vertices with many paths, a warp for others) marks N(v) in a bitmap in shared memory; groups
// of GROUP lanes then take one u each and look up the members of N(u) below v. Blocks take vertices from a counter.
// Conflicts: marks are set by atomicOr; counts are added once per warp.
// Memory: reads N(v), the entries above v with their path ends, and the members of N(u) below v: 2 bytes each in
// `count_narrow`, 4 in the others.
// Source: M. Latapy, Theoretical Computer Science 407 (2008), for the order and the bound; M. Bisson, M. Fatica, IEEE TPDS 28
// (2017), for the marks.
#include "grid.cuh"
#include "triangles.cuh"

enum {
  WARPS = 8,                              // of a block, at most
  BLOCKS = 8,                             // of a multiprocessor: enough warps to hide the latency of memory
  MEMBERS = GROUP < WARP ? GROUP : WARP,  // lanes of a group
  GROUPS = WARP / MEMBERS
};

// A bitmap of the members of one N(v). Vertices below BITS have a bit each. If ALL = 2 BITS, the others share as many bits, so
// that a set bit must be checked. The words, ALL / 32 in shared memory, are 0 between two sets.
template <int BITS, int ALL> struct Marks {
  u32* words;
  __device__ __forceinline__ u32 bit_of(u32 w) const { return ALL == BITS || w < BITS ? w : BITS + (w & (BITS - 1)); }
  __device__ __forceinline__ void set(u32 w) const { atomicOr(&words[bit_of(w) >> 5], 1u << (bit_of(w) & 31)); }
  __device__ __forceinline__ void clear_word(u32 w) const { words[bit_of(w) >> 5] = 0; }
  __device__ __forceinline__ u32 has(u32 w) const { return words[bit_of(w) >> 5] >> (bit_of(w) & 31) & 1; }
};

// The threads that work on one v: a block, or a warp.
struct Team {
  int thread, threads;
  int warp, warps;
};
__device__ __forceinline__ Team block_team() {
  Team team = {(int)threadIdx.x, (int)blockDim.x, (int)threadIdx.x / WARP, (int)blockDim.x / WARP};
  return team;
}
__device__ __forceinline__ Team warp_team() {
  Team team = {lane(), WARP, 0, 1};
  return team;
}
__device__ __forceinline__ void team_barrier(const Team& team) {
  if (team.warps > 1) __syncthreads();
  else __syncwarp();
}

struct Graph {
  const Offset* row_offsets;
  const u32* columns;
  const i32* lower_counts;
  const PathEndCount* path_ends;
};

template <class M> __device__ __forceinline__ void clear_all(const Team& team, const M& marks, int bits) {
  for (int k = team.thread; k < bits / 32; k += team.threads) marks.words[k] = 0;
  team_barrier(team);
}

// Mark N(v), call visit(starts[u], number of members of N(u) below v) by a group of lanes for each neighbour u above v, and
// clear the marks.
template <class M, class Visit>
__device__ __forceinline__ void for_each_path_group(const Team& team, const M& marks, const Graph& graph, i64 v, const Offset* starts, Visit visit) {
  i64 begin = graph.row_offsets[v], middle = begin + graph.lower_counts[v], end = graph.row_offsets[v + 1];
  for (i64 p = begin + team.thread; p < middle; p += team.threads) marks.set(graph.columns[p]);
  team_barrier(team);
  for (i64 first = middle + team.warp * WARP; first < end; first += team.warps * WARP) {
    i64 p = first + lane();
    u32 length = p < end ? graph.path_ends[p] : 0;
    i64 start = length ? starts[graph.columns[p]] : 0;
    for (int l = lane() / MEMBERS, k = 0; k < WARP && first + k < end; k += GROUPS, l += GROUPS) {
      i64 group_start = from_lane(start, l);
      visit(group_start, from_lane(length, l));
    }
  }
  team_barrier(team);
  for (i64 p = begin + team.thread; p < middle; p += team.threads) marks.clear_word(graph.columns[p]);
  team_barrier(team);
}

__device__ __forceinline__ void add_to_total(u64 count, u64* total) {
  count = warp_sum(count);
  if (lane() == 0 && count) atomicAdd(total, count);
}

// The next number for this block, from a counter of all blocks.
__device__ __forceinline__ i64 next_task(u64* tasks_taken) {
  __shared__ u64 shared_task;
  if (threadIdx.x == 0) shared_task = atomicAdd(tasks_taken, 1ull);
  __syncthreads();
  i64 task = shared_task;
  __syncthreads();
  return task;
}

// Vertices below EXACT with many paths, one block each: N(v) has 16-bit numbers and exact marks. Padding of a group of EIGHT,
// and members of N(u) in it that are not below v, are not marked.
extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    count_narrow(i64 size, const i32* vertices, const Offset* row_offsets, const u32* columns, const i32* lower_counts, const PathEndCount* path_ends,
                 const Offset* narrow_starts, const u16* narrow, u64* tasks_taken, u64* total) {
  struct alignas(2 * EIGHT) Eight { u16 of[EIGHT]; };
  __shared__ u32 words[EXACT / 32];
  Marks<EXACT, EXACT> marks = {words};
  Graph graph = {row_offsets, columns, lower_counts, path_ends};
  Team team = block_team();
  const Eight* eights = (const Eight*)narrow;
  u64 count = 0;
  clear_all(team, marks, EXACT);
  for (i64 i; (i = next_task(tasks_taken)) < size;)
    for_each_path_group(team, marks, graph, vertices[i], narrow_starts, [&](i64 start, u32 length) {
      u32 hits = 0;
      for (u32 k = lane() % MEMBERS; k * EIGHT < length; k += MEMBERS) {
        Eight members = eights[start + k];
#pragma unroll
        for (int j = 0; j < EIGHT; j++) hits += marks.has(members.of[j]);
      }
      count += hits;
    });
  add_to_total(count, total);
}

// The triangles of any v, by 32-bit numbers; a mark that is shared is checked by binary search in N(v).
template <int BITS>
__device__ __forceinline__ u64 count_wide(const Team& team, const Marks<BITS, 2 * BITS>& marks, const Graph& graph, i64 v) {
  i64 begin = graph.row_offsets[v], end = begin + graph.lower_counts[v];
  u64 count = 0;
  for_each_path_group(team, marks, graph, v, graph.row_offsets, [&](i64 start, u32 length) {
    for (u32 k = lane() % MEMBERS; k < length; k += MEMBERS) {
      u32 w = graph.columns[start + k];
      if (marks.has(w) && (w < BITS || contains(graph.columns, begin, end, w))) count++;
    }
  });
  return count;
}

// Vertices from EXACT on with many paths, one block each.
extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    count_long(i64 size, const i32* vertices, const Offset* row_offsets, const u32* columns, const i32* lower_counts, const PathEndCount* path_ends,
               u64* tasks_taken, u64* total) {
  __shared__ u32 words[2 * EXACT / 32];
  Marks<EXACT, 2 * EXACT> marks = {words};
  Graph graph = {row_offsets, columns, lower_counts, path_ends};
  Team team = block_team();
  u64 count = 0;
  clear_all(team, marks, 2 * EXACT);
  for (i64 i; (i = next_task(tasks_taken)) < size;) count += count_wide(team, marks, graph, vertices[i]);
  add_to_total(count, total);
}

// Vertices with few paths, one warp each.
extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    count_short(i64 size, const i32* vertices, const Offset* row_offsets, const u32* columns, const i32* lower_counts, const PathEndCount* path_ends,
                u64* tasks_taken, u64* total) {
  __shared__ u32 words[WARPS][2 * EXACT_OF_WARP / 32];
  Marks<EXACT_OF_WARP, 2 * EXACT_OF_WARP> marks = {words[threadIdx.x / WARP]};
  Graph graph = {row_offsets, columns, lower_counts, path_ends};
  Team team = warp_team();
  u64 count = 0;
  clear_all(team, marks, 2 * EXACT_OF_WARP);
  for (i64 i = warp(); i < size; i += warps()) count += count_wide(team, marks, graph, vertices[i]);
  add_to_total(count, total);
}
