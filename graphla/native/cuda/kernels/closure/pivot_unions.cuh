// Unions (ORs) of pivot rows of a bit matrix, and the closure of the pivots' relation, in shared memory, by one thread block.
//
// Unions of PART pivots are looked up in two tables of the unions of each 8 of them (method of four Russians), for SLAB * 128
// columns at a time. The closure of PIVOTS x PIVOTS bits is Warshall's algorithm by 32 pivots.
// Source: S. Warshall, J. ACM 9, 1962; V. Arlazarov, E. Dinic, M. Kronrod, I. Faradzev, 1970.
#include "grid.cuh"

enum {
  PIVOT_WORDS = PIVOTS / 32,  // words, and Bits128, of one bit per pivot
  PIVOT_QUADS = PIVOTS / 128,
  PART = 16,      // pivots whose unions are tabulated together
  TABLES = 2,     // for 8 pivots each
  ENTRIES = 256,  // of a table
  NIBBLES = 8     // groups of 4 in 32 pivots
};

struct alignas(16) Bits128 { u32 word[4]; };

__device__ __forceinline__ Bits128 operator|(const Bits128& x, const Bits128& y) {
  return {{x.word[0] | y.word[0], x.word[1] | y.word[1], x.word[2] | y.word[2], x.word[3] | y.word[3]}};
}

// table[t][m] = union of the pivots 8 t + j of pivots[PART][SLAB] over the bits j of m. A thread makes eight entries: it unites
// the pivots of the upper 5 bits of m once, and combines this with the lower 3.
__device__ __forceinline__ void tabulate_unions(const Bits128* pivots, Bits128* table) {
  for (int e = threadIdx.x; e < TABLES * 32 * SLAB; e += blockDim.x) {
    int q = e % SLAB, upper = e / SLAB % 32, t = e / SLAB / 32;
    const Bits128* pivot = pivots + 8 * t * SLAB + q;
    Bits128* entry = table + (t * ENTRIES + upper * 8) * SLAB + q;
    Bits128 x = Bits128(), one = pivot[0];
#pragma unroll
    for (int j = 0; j < 5; j++)
      if (upper >> j & 1) x = x | pivot[(3 + j) * SLAB];
    Bits128 two = x | pivot[SLAB], four = x | pivot[2 * SLAB], six = two | four;
    entry[0] = x, entry[SLAB] = x | one;
    entry[2 * SLAB] = two, entry[3 * SLAB] = two | one;
    entry[4 * SLAB] = four, entry[5 * SLAB] = four | one;
    entry[6 * SLAB] = six, entry[7 * SLAB] = six | one;
  }
}

// Bits128 number q of the union of the PART pivots whose bit is set in `selected`.
__device__ __forceinline__ Bits128 union_of(const Bits128* table, u32 selected, int q) {
  return table[(selected & 255) * SLAB + q] | table[(ENTRIES + (selected >> 8 & 255)) * SLAB + q];
}

// Warshall's algorithm on 32 x 32 bits by one warp, in registers; row i is D[i * stride].
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

// Close D, PIVOTS rows of PIVOT_QUADS, in place. For each 32 pivots: close their relation, unite their rows by it, tabulate the
// unions of each 4 of these rows, and add to every row those whose bits it has. Groups of 32 pivots without a bit in any row are skipped: they
// get none later. `table` has room for the tables and for the 32 rows. All threads of the block call this.
__device__ __noinline__ void close_pivots(Bits128* D, Bits128* table) {
  __shared__ u32 groups_present;  // a bit for each 32 pivots
  Bits128* closed_rows = table + NIBBLES * 16 * PIVOT_QUADS;
  u32 lane_groups = 0;
  if (threadIdx.x == 0) groups_present = 0;
  __syncthreads();
  for (int e = threadIdx.x; e < PIVOTS * PIVOT_WORDS; e += blockDim.x) lane_groups |= (u32)(((u32*)D)[e] != 0) << e % PIVOT_WORDS;
  if (lane_groups) atomicOr(&groups_present, lane_groups);
  __syncthreads();
  for (u32 groups = groups_present; groups; groups &= groups - 1) {
    int g = __ffs(groups) - 1;
    u32* group_rows = (u32*)(D + 32 * g * PIVOT_QUADS);
    if (threadIdx.x < WARP) close_32(group_rows + g, PIVOT_WORDS);
    __syncthreads();
    for (int e = threadIdx.x; e < 32 * PIVOT_WORDS; e += blockDim.x) {
      u32 selected = group_rows[e / PIVOT_WORDS * PIVOT_WORDS + g], x = group_rows[e];
#pragma unroll
      for (int k = 0; k < 32; k++)
        if (selected >> k & 1) x |= group_rows[k * PIVOT_WORDS + e % PIVOT_WORDS];
      ((u32*)closed_rows)[e] = x;
    }
    __syncthreads();
    for (int e = threadIdx.x; e < NIBBLES * 16 * PIVOT_QUADS; e += blockDim.x) {
      int m = e / PIVOT_QUADS % 16, t = e / PIVOT_QUADS / 16;
      Bits128 x = Bits128();
#pragma unroll
      for (int j = 0; j < 4; j++)
        if (m >> j & 1) x = x | closed_rows[(4 * t + j) * PIVOT_QUADS + e % PIVOT_QUADS];
      table[e] = x;
    }
    __syncthreads();
    for (int e = threadIdx.x; e < PIVOTS * PIVOT_QUADS; e += blockDim.x) {
      u32 selected = D[e / PIVOT_QUADS * PIVOT_QUADS + g / 4].word[g % 4];
      Bits128 x = D[e];
#pragma unroll
      for (int t = 0; t < NIBBLES; t++) x = x | table[(t * 16 + (selected >> 4 * t & 15)) * PIVOT_QUADS + e % PIVOT_QUADS];
      D[e] = x;
    }
    __syncthreads();
  }
}
