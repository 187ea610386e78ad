// Triangles: N(u), the neighbours of u below u, is marked in shared memory; the N(v) of its members pass by.
#include "grid.cuh"
#include "triangles.cuh"

enum : u32 { NONE = ~0u };
enum {
  WARPS = 8,  // of a block, at most
  BATCH = 4   // words, or vertices of a list, that a lane has in flight
};

// Marks of the members of one N(u). Those below BITS have a bit each, the others share as many.
template <int BITS> struct Marks {
  u32* words;  // 2 BITS / 32, in shared memory, 0 between two sets
  __device__ __forceinline__ u32 place(u32 w) const { return w < BITS ? w : BITS + (w & (BITS - 1)); }
  __device__ __forceinline__ void set(u32 w) const { atomicOr(&words[place(w) >> 5], 1u << (place(w) & 31)); }
  __device__ __forceinline__ void forget(u32 w) const { words[place(w) >> 5] = 0; }
  __device__ __forceinline__ bool has(u32 w) const { return words[place(w) >> 5] >> (place(w) & 31) & 1; }
};

// The threads that count for one u: those of a block, or of a warp.
struct Team {
  i64 number, count;           // of all teams
  int member, members;         // threads
  int warp_number, warp_count;
};
__device__ __forceinline__ Team block_team() {
  Team t = {blockIdx.x, gridDim.x, (int)threadIdx.x, (int)blockDim.x, (int)threadIdx.x / WARP, (int)blockDim.x / WARP};
  return t;
}
__device__ __forceinline__ Team warp_team() {
  Team t = {warp(), warps(), lane(), WARP, 0, 1};
  return t;
}
__device__ __forceinline__ void wait(const Team& t) {
  if (t.warp_count > 1) __syncthreads();
  else __syncwarp();
}

// How many members of N(v), by the lanes of a warp, are marked and in N(u), entries begin..end-1.
template <int BITS>
__device__ __forceinline__ u32 common(const Marks<BITS>& marks, const Lower& v, const u32* bits, const u32* columns, i64 begin, i64 end) {
  u32 found = 0;
  for (u32 first = lane(); first < v.words; first += BATCH * WARP) {
    u32 word[BATCH];
#pragma unroll
    for (int j = 0; j < BATCH; j++) word[j] = first + j * WARP < v.words ? bits[v.bits + first + j * WARP] : 0;
#pragma unroll
    for (int j = 0; j < BATCH; j++)
      if (word[j]) found += __popc(word[j] & marks.words[first + j * WARP]);
  }
  const u32* rest = columns + v.rest;
  for (u32 first = lane(); first < v.count; first += BATCH * WARP) {
    u32 w[BATCH];
#pragma unroll
    for (int j = 0; j < BATCH; j++) w[j] = first + j * WARP < v.count ? rest[first + j * WARP] : NONE;
#pragma unroll
    for (int j = 0; j < BATCH; j++)
      if (w[j] != NONE && marks.has(w[j]) && (w[j] < BITS || contains(columns, begin, end, w[j]))) found++;
  }
  return found;
}

template <int BITS>
__device__ __forceinline__ void count_sets(const Team& t, const Marks<BITS>& marks, i64 size, const i32* vertices, const Offset* ends,
                                           const u32* columns, const Lower* lower, const u32* bits, u64* total) {
  for (int k = t.member; k < 2 * BITS / 32; k += t.members) marks.words[k] = 0;
  wait(t);
  u64 found = 0;
  for (i64 i = t.number; i < size; i += t.count) {
    i32 u = vertices[i];
    i64 begin = ends[u], end = lower[u].rest + lower[u].count, stride = (i64)WARP * t.warp_count;
    for (i64 p = begin + t.member; p < end; p += t.members) marks.set(columns[p]);
    wait(t);
    for (i64 first = begin + t.warp_number; first < end; first += stride) {
      i64 p = first + (i64)lane() * t.warp_count;
      Lower mine = p < end ? lower[columns[p]] : Lower();
      for (int l = 0; l < WARP && first + (i64)l * t.warp_count < end; l++) {
        Lower v = {from_lane(mine.bits, l), from_lane(mine.rest, l), from_lane(mine.words, l), from_lane(mine.count, l)};
        found += common(marks, v, bits, columns, begin, end);
      }
    }
    wait(t);
    for (i64 p = begin + t.member; p < end; p += t.members) marks.forget(columns[p]);
    wait(t);
  }
  found = warp_sum(found);
  if (lane() == 0 && found) atomicAdd(total, found);
}

extern "C" __global__ void __launch_bounds__(32 * WARPS, 5)
    count_long(i64 size, const i32* vertices, const Offset* ends, const u32* columns, const Lower* lower, const u32* bits, u64* total) {
  __shared__ u32 words[2 * EXACT / 32];
  Marks<EXACT> marks = {words};
  count_sets(block_team(), marks, size, vertices, ends, columns, lower, bits, total);
}

extern "C" __global__ void __launch_bounds__(32 * WARPS, 5)
    count_short(i64 size, const i32* vertices, const Offset* ends, const u32* columns, const Lower* lower, const u32* bits, u64* total) {
  __shared__ u32 words[WARPS][2 * PREFIX / 32];
  Marks<PREFIX> marks = {words[threadIdx.x / WARP]};
  count_sets(warp_team(), marks, size, vertices, ends, columns, lower, bits, total);
}
