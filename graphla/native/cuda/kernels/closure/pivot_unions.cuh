// Unions of pivots, which are rows of bits: by tables of the unions of each eight of 16 pivots ("the four
// Russians"), on SLAB quads of each row; and Warshall's algorithm on PIVOTS x PIVOTS bits. All in shared memory.
#include "grid.cuh"

enum { SUBS = PIVOTS / 32, WIDE = PIVOTS / 128, FEW = 16, TABLES = 2, ENTRIES = 256, NIBBLES = 8 };

struct alignas(16) Quad { u32 word[4]; };

__device__ __forceinline__ Quad operator|(const Quad& x, const Quad& y) {
  return {{x.word[0] | y.word[0], x.word[1] | y.word[1], x.word[2] | y.word[2], x.word[3] | y.word[3]}};
}

// table[t][m]: the union of the pivots 8 t + j of `pivots` [FEW][SLAB] over the bits j of m.
__device__ __forceinline__ void tabulate(const Quad* pivots, Quad* table) {
  for (int e = threadIdx.x; e < TABLES * 32 * SLAB; e += blockDim.x) {
    int q = e % SLAB, high = e / SLAB % 32, t = e / SLAB / 32;
    const Quad* p = pivots + 8 * t * SLAB + q;
    Quad* at = table + (t * ENTRIES + high * 8) * SLAB + q;
    Quad x = Quad(), one = p[0];
#pragma unroll
    for (int j = 0; j < 5; j++)
      if (high >> j & 1) x = x | p[(3 + j) * SLAB];
    Quad two = x | p[SLAB], four = x | p[2 * SLAB], six = two | four;
    at[0] = x, at[SLAB] = x | one;
    at[2 * SLAB] = two, at[3 * SLAB] = two | one;
    at[4 * SLAB] = four, at[5 * SLAB] = four | one;
    at[6 * SLAB] = six, at[7 * SLAB] = six | one;
  }
}

__device__ __forceinline__ Quad united(const Quad* table, u32 who, int q) {
  return table[(who & 255) * SLAB + q] | table[(ENTRIES + (who >> 8 & 255)) * SLAB + q];
}

// Warshall's algorithm on 32 x 32 bits, by a warp, in registers.
__device__ __forceinline__ void close_32(u32* D, int stride) {
  u32 row[32 / WARP];
#pragma unroll
  for (int h = 0; h < 32 / WARP; h++) row[h] = D[(h * WARP + lane()) * stride];
  for (int g = 0; g < 32 / WARP; g++)
    for (int k = 0; k < WARP; k++) {
      u32 pivot = from_lane(row[g], k);
#pragma unroll
      for (int h = 0; h < 32 / WARP; h++)
        if (row[h] >> (g * WARP + k) & 1) row[h] |= pivot;
    }
#pragma unroll
  for (int h = 0; h < 32 / WARP; h++) D[(h * WARP + lane()) * stride] = row[h];
}

// Close D, PIVOTS rows of WIDE quads, by 32 pivots at a time: these first, then what others reach through them.
// Pivots that no row has at first, none will have. `table` has room for the pivots' rows and for the unions of each
// four of them.
__device__ __noinline__ void close_pivots(Quad* D, Quad* table) {
  __shared__ u32 reached;  // a bit for each 32 pivots
  Quad* fresh = table + NIBBLES * 16 * WIDE;
  u32 found = 0;
  if (threadIdx.x == 0) reached = 0;
  __syncthreads();
  for (int e = threadIdx.x; e < PIVOTS * SUBS; e += blockDim.x) found |= (u32)(((u32*)D)[e] != 0) << e % SUBS;
  if (found) atomicOr(&reached, found);
  __syncthreads();
  for (u32 left = reached; left; left &= left - 1) {
    int s = __ffs(left) - 1;
    u32* block = (u32*)(D + 32 * s * WIDE);
    if (threadIdx.x < WARP) close_32(block + s, SUBS);
    __syncthreads();
    for (int e = threadIdx.x; e < 32 * SUBS; e += blockDim.x) {
      u32 who = block[e / SUBS * SUBS + s], x = block[e];
#pragma unroll
      for (int k = 0; k < 32; k++)
        if (who >> k & 1) x |= block[k * SUBS + e % SUBS];
      ((u32*)fresh)[e] = x;
    }
    __syncthreads();
    for (int e = threadIdx.x; e < NIBBLES * 16 * WIDE; e += blockDim.x) {
      int m = e / WIDE % 16, t = e / WIDE / 16;
      Quad x = Quad();
#pragma unroll
      for (int j = 0; j < 4; j++)
        if (m >> j & 1) x = x | fresh[(4 * t + j) * WIDE + e % WIDE];
      table[e] = x;
    }
    __syncthreads();
    for (int e = threadIdx.x; e < PIVOTS * WIDE; e += blockDim.x) {
      u32 who = D[e / WIDE * WIDE + s / 4].word[s % 4];
      Quad x = D[e];
#pragma unroll
      for (int t = 0; t < NIBBLES; t++) x = x | table[(t * 16 + (who >> 4 * t & 15)) * WIDE + e % WIDE];
      D[e] = x;
    }
    __syncthreads();
  }
}
