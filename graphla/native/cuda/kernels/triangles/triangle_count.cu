// Triangles: N(v) is marked in shared memory; the members below v of the N(u), u above v, ask for their marks.
#include "grid.cuh"
#include "triangles.cuh"

enum {
  WARPS = 8,                               // of a block, at most
  BLOCKS = 8,                              // of a multiprocessor: what waits is the memory
  MEMBERS = GROUP < WARP ? GROUP : WARP,   // lanes that follow one path together
  GROUPS = WARP / MEMBERS
};

// Marks of the members of one N(v). Those below BITS have a bit each; ALL = 2 BITS: the others share as many.
template <int BITS, int ALL> struct Marks {
  u32* words;  // ALL / 32, in shared memory, 0 between two sets
  __device__ __forceinline__ u32 place(u32 w) const { return ALL == BITS || w < BITS ? w : BITS + (w & (BITS - 1)); }
  __device__ __forceinline__ void set(u32 w) const { atomicOr(&words[place(w) >> 5], 1u << (place(w) & 31)); }
  __device__ __forceinline__ void forget(u32 w) const { words[place(w) >> 5] = 0; }
  __device__ __forceinline__ u32 has(u32 w) const { return words[place(w) >> 5] >> (place(w) & 31) & 1; }
};

// The threads that count for one v: those of a block, or of a warp.
struct Team {
  int member, members;  // threads
  int warp_number, warp_count;
};
__device__ __forceinline__ Team block_team() {
  Team t = {(int)threadIdx.x, (int)blockDim.x, (int)threadIdx.x / WARP, (int)blockDim.x / WARP};
  return t;
}
__device__ __forceinline__ Team warp_team() {
  Team t = {lane(), WARP, 0, 1};
  return t;
}
__device__ __forceinline__ void wait(const Team& t) {
  if (t.warp_count > 1) __syncthreads();
  else __syncwarp();
}

struct Graph {
  const Offset* ends;
  const u32* columns;
  const i32* sizes;
  const Place* places;
};

template <class M> __device__ __forceinline__ void clear(const Team& t, const M& marks, int bits) {
  for (int k = t.member; k < bits / 32; k += t.members) marks.words[k] = 0;
  wait(t);
}

// Mark N(v); for each entry u above v a group of lanes visits (firsts[u], the number of members below v).
template <class M, class Visit>
__device__ __forceinline__ void each_path(const Team& t, const M& marks, const Graph& g, i64 v, const Offset* firsts, Visit visit) {
  i64 begin = g.ends[v], middle = begin + g.sizes[v], end = g.ends[v + 1];
  for (i64 p = begin + t.member; p < middle; p += t.members) marks.set(g.columns[p]);
  wait(t);
  for (i64 first = middle + t.warp_number * WARP; first < end; first += t.warp_count * WARP) {
    i64 p = first + lane();
    u32 length = p < end ? g.places[p] : 0;
    i64 start = length ? firsts[g.columns[p]] : 0;
    for (int l = lane() / MEMBERS, k = 0; k < WARP && first + k < end; k += GROUPS, l += GROUPS) {
      i64 from = from_lane(start, l);
      visit(from, from_lane(length, l));
    }
  }
  wait(t);
  for (i64 p = begin + t.member; p < middle; p += t.members) marks.forget(g.columns[p]);
  wait(t);
}

__device__ __forceinline__ void add(u64 found, u64* total) {
  found = warp_sum(found);
  if (lane() == 0 && found) atomicAdd(total, found);
}

// The next vertex for this block, by number.
__device__ __forceinline__ i64 take(u64* taken) {
  __shared__ u64 now;
  if (threadIdx.x == 0) now = atomicAdd(taken, 1ull);
  __syncthreads();
  i64 mine = now;
  __syncthreads();
  return mine;
}

// Vertices below EXACT: all members below them are narrow numbers, and have marks of their own. What fills up
// an eight, and what of it is not below v, is not marked.
extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    count_narrow(i64 size, const i32* vertices, const Offset* ends, const u32* columns, const i32* sizes, const Place* places,
                 const Offset* starts, const u16* items, u64* taken, u64* total) {
  struct alignas(2 * EIGHT) Eight { u16 of[EIGHT]; };
  __shared__ u32 words[EXACT / 32];
  Marks<EXACT, EXACT> marks = {words};
  Graph g = {ends, columns, sizes, places};
  Team t = block_team();
  const Eight* eights = (const Eight*)items;
  u64 found = 0;
  clear(t, marks, EXACT);
  for (i64 i; (i = take(taken)) < size;)
    each_path(t, marks, g, vertices[i], starts, [&](i64 start, u32 length) {
      u32 hits = 0;
      for (u32 k = lane() % MEMBERS; k * EIGHT < length; k += MEMBERS) {
        Eight e = eights[start + k];
#pragma unroll
        for (int j = 0; j < EIGHT; j++) hits += marks.has(e.of[j]);
      }
      found += hits;
    });
  add(found, total);
}

// Likewise of any vertices, member by member; a mark that is shared is looked up.
template <int BITS>
__device__ __forceinline__ u64 count_wide(const Team& t, const Marks<BITS, 2 * BITS>& marks, const Graph& g, i64 v) {
  i64 begin = g.ends[v], end = begin + g.sizes[v];
  u64 found = 0;
  each_path(t, marks, g, v, g.ends, [&](i64 start, u32 length) {
    for (u32 k = lane() % MEMBERS; k < length; k += MEMBERS) {
      u32 w = g.columns[start + k];
      if (marks.has(w) && (w < BITS || contains(g.columns, begin, end, w))) found++;
    }
  });
  return found;
}

extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    count_long(i64 size, const i32* vertices, const Offset* ends, const u32* columns, const i32* sizes, const Place* places,
               u64* taken, u64* total) {
  __shared__ u32 words[2 * EXACT / 32];
  Marks<EXACT, 2 * EXACT> marks = {words};
  Graph g = {ends, columns, sizes, places};
  Team t = block_team();
  u64 found = 0;
  clear(t, marks, 2 * EXACT);
  for (i64 i; (i = take(taken)) < size;) found += count_wide(t, marks, g, vertices[i]);
  add(found, total);
}

extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    count_short(i64 size, const i32* vertices, const Offset* ends, const u32* columns, const i32* sizes, const Place* places,
                u64* taken, u64* total) {
  __shared__ u32 words[WARPS][2 * EXACT_OF_WARP / 32];
  Marks<EXACT_OF_WARP, 2 * EXACT_OF_WARP> marks = {words[threadIdx.x / WARP]};
  Graph g = {ends, columns, sizes, places};
  Team t = warp_team();
  u64 found = 0;
  clear(t, marks, 2 * EXACT_OF_WARP);
  for (i64 i = warp(); i < size; i += warps()) found += count_wide(t, marks, g, vertices[i]);
  add(found, total);
}
