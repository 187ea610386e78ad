// Unions of pivots, which are rows of bits: by tables of the unions of few of 32 pivots ("the four Russians"), on
// SLAB quads of each row; and Warshall's algorithm on PIVOTS x PIVOTS bits. All in shared memory.
#include "grid.cuh"

enum { SUBS = PIVOTS / 32, WIDE = PIVOTS / 128, ENTRIES = 2 * 128 + 3 * 64, NIBBLES = 8 };

struct alignas(16) Quad { u32 word[4]; };

__device__ __forceinline__ Quad operator|(const Quad& x, const Quad& y) {
  return {{x.word[0] | y.word[0], x.word[1] | y.word[1], x.word[2] | y.word[2], x.word[3] | y.word[3]}};
}

// The unions of the pivots 0..6, 7..13, 14..19, 20..25 and 26..31 of `pivots` [32][SLAB], by the bits of an entry's
// number: five tables, one behind the other. A thread makes four entries, which differ in their lowest bits.
__device__ __forceinline__ void tabulate(const Quad* pivots, Quad* table) {
  for (int e = threadIdx.x; e < ENTRIES / 4 * SLAB; e += blockDim.x) {
    int q = e % SLAB, four = e / SLAB;
    bool large = four < 64;  // which table of its kind, and what of it
    int k = large ? four / 32 : (four - 64) / 16, high = large ? four % 32 : four % 16;
    const Quad* p = pivots + (large ? 7 * k : 14 + 6 * k) * SLAB + q;
    Quad* at = table + 4 * four * SLAB + q;
    Quad x = Quad(), one = p[0];
#pragma unroll
    for (int j = 0; j < 5; j++)
      if (high >> j & 1) x = x | p[(2 + j) * SLAB];
    Quad two = x | p[SLAB];
    at[0] = x, at[SLAB] = x | one, at[2 * SLAB] = two, at[3 * SLAB] = two | one;
  }
}

__device__ __forceinline__ Quad united(const Quad* table, u32 who, int q) {
  const Quad* at = table + q;
  Quad x = at[(who & 127) * SLAB] | at[(128 + (who >> 7 & 127)) * SLAB] | at[(256 + (who >> 14 & 63)) * SLAB];
  return x | (at[(320 + (who >> 20 & 63)) * SLAB] | at[(384 + (who >> 26)) * SLAB]);
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
// `table` has room for the pivots' rows and for the unions of each four of them.
__device__ __noinline__ void close_pivots(Quad* D, Quad* table) {
  Quad* fresh = table + NIBBLES * 16 * WIDE;
  for (int s = 0; s < SUBS; s++) {
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
