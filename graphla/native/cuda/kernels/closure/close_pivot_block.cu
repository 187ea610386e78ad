// Closure of a relation by 64 pivots, one step of Warshall's algorithm:  with P the vertices 64 b .. 64 b + 63,
//     D = closure of R[P, P],    R[P, :] |= D R[P, :],    R |= R[:, P] R[P, :]
// R has n rows of `words` words of 64 bits; bit k of row j says that k is related to j.
//
// Work split: a task is a slab of SLAB words in a share of the rows. Each block closes D by its first warp in
// registers, unites the pivots' rows of its slab as D says, tabulates the unions of these by BITS pivots in
// shared memory, and adds to each row of its share the unions that word b of the row selects.
// Conflicts: blocks write while others read. A word of a pivot's row that is read during its update has a value between
// the old and the closed one, which gives the same union; a row's words are written by one block alone.
// Memory: reads word b of all rows and each word of R once; writes the words that change.
#include "warp.cuh"

const int TABLES = 64 / BITS, ENTRIES = 1 << BITS;

// Read a word that other blocks may be writing: not from a register, nor from the read-only cache.
__device__ __forceinline__ u64 read_volatile(const u64* p) { return *(const volatile u64*)p; }

// Unions of the rows `pivots` [64][SLAB]: entry m of table t is the union of those of the pivots
// t * BITS .. t * BITS + BITS - 1 whose bit is set in m.
__device__ void tabulate(const u64* pivots, u64* table) {
  for (int e = threadIdx.x; e < TABLES * SLAB; e += blockDim.x) table[e / SLAB * ENTRIES * SLAB + e % SLAB] = 0;
  __syncthreads();
  for (int j = 0; j < BITS; j++) {  // entries 2^j .. 2^(j + 1) - 1 have pivot j as their last
    for (int e = threadIdx.x; e < TABLES * SLAB << j; e += blockDim.x) {
      int w = e % SLAB, m = e / SLAB & ((1 << j) - 1), t = e / SLAB >> j;
      u64* entry = table + (t * ENTRIES + m) * SLAB + w;
      entry[SLAB << j] = *entry | pivots[(t * BITS + j) * SLAB + w];
    }
    __syncthreads();
  }
}

// Word w of the union of the pivots whose bit is set in `selected`: one look-up a table.
__device__ __forceinline__ u64 united(const u64* table, u64 selected, int w) {
  u64 x = 0;
#pragma unroll
  for (int t = 0; t < TABLES; t++) x |= table[(t * ENTRIES + (selected >> t * BITS & (ENTRIES - 1))) * SLAB + w];
  return x;
}

// Warshall's algorithm on 64 x 64 bits by one warp: a lane keeps the rows lane(), lane() + WARP, ... in registers.
__device__ void close_pivots(u64* D) {
  u64 row[64 / WARP];
#pragma unroll
  for (int h = 0; h < 64 / WARP; h++) row[h] = D[h * WARP + lane()];
#pragma unroll
  for (int g = 0; g < 64 / WARP; g++)
    for (int k = 0; k < WARP; k++) {
      u64 pivot = from_lane(row[g], k);
#pragma unroll
      for (int h = 0; h < 64 / WARP; h++)
        if (row[h] >> (g * WARP + k) & 1) row[h] |= pivot;
    }
#pragma unroll
  for (int h = 0; h < 64 / WARP; h++) D[h * WARP + lane()] = row[h];
}

// Step b, or step b + *first in a captured graph of launches; `shares` are the parts that the rows are cut into.
extern "C" __global__ void __launch_bounds__(1024) close_pivot_block(i64 n, i64 shares, u64* R, const i64* first, i64 b) {
  if (first) b += *first;
  __shared__ u64 D[64], pivots[64 * SLAB];
  SHARED_ARRAY(u64, table);
  i64 words = (n + 63) / 64, slabs = (words + SLAB - 1) / SLAB;
  if (b >= words) return;
  for (int p = threadIdx.x; p < 64; p += blockDim.x) D[p] = 64 * b + p < n ? read_volatile(&R[(64 * b + p) * words + b]) : 0;
  __syncthreads();
  if (threadIdx.x < WARP) close_pivots(D);
  for (i64 task = blockIdx.x; task < slabs * shares; task += gridDim.x) {
    i64 slab = task % slabs, share = task / slabs;
    u64* S = R + slab * SLAB;
    int wide = words - slab * SLAB < SLAB ? words - slab * SLAB : SLAB;
    for (int e = threadIdx.x; e < 64 * SLAB; e += blockDim.x) {
      i64 j = 64 * b + e / SLAB;
      pivots[e] = j < n && e % SLAB < wide ? read_volatile(&S[j * words + e % SLAB]) : 0;
    }
    __syncthreads();
    tabulate(pivots, table);
    for (int e = threadIdx.x; e < 64 * SLAB; e += blockDim.x) pivots[e] |= united(table, D[e / SLAB], e % SLAB);
    __syncthreads();
    tabulate(pivots, table);
    i64 from = share * n / shares, to = (share + 1) * n / shares;
    for (i64 e = threadIdx.x; e < (to - from) * SLAB; e += blockDim.x) {
      i64 j = from + e / SLAB;
      int w = e % SLAB;
      u64 selected = read_volatile(&R[j * words + b]);
      if (!selected || w >= wide) continue;
      u64 old = S[j * words + w], x = old | united(table, selected, w);
      if (x != old) S[j * words + w] = x;
    }
    __syncthreads();
  }
}
