// Warshall's closure of a table of n columns and n rows: bit i of column j, a path from i to j.
#include "star_grid.cuh"

// Column j |= X where bit j of w is set; or, without w, column j |= column k where its bit k is set. A warp
// takes a column.
extern "C" __global__ void unite_columns(i64 columns, i64 words, u64* T, const u64* X, const u64* w, const i64* first,
                                 i64 k) {
  if (first) k += *first;
  if (k >= columns) return;
  if (!w) X = T + k * words;
  for (i64 j = warp(); j < columns; j += warps()) {
    u64* t = T + j * words;
    if (t != X && (w ? w[j >> 6] >> (j & 63) & 1 : t[k >> 6] >> (k & 63) & 1))
      for (i64 i = lane(); i < words; i += WARP) t[i] |= X[i];
  }
}

// Blocked, by 64 pivots at a time: those of word b. A block closes the relation D of the pivots among
// themselves, takes SLAB words of the columns of the pivots, unites them as D says, tabulates their unions by
// BITS pivots, and adds to the columns of its share the unions that word b of the column asks for. What others
// change in the meantime, if it is read, lies between the old and the closed value and gives the same union.
const int TABLES = 64 / BITS, ENTRIES = 1 << BITS;

// Unions of `pivots` [64][SLAB] by each BITS of them.
__device__ void tabulate(const u64* pivots, u64* table) {
  for (int e = threadIdx.x; e < TABLES * SLAB; e += blockDim.x) table[e / SLAB * ENTRIES * SLAB + e % SLAB] = 0;
  __syncthreads();
  for (int j = 0; j < BITS; j++) {  // entries 2^j .. 2^(j + 1) - 1 have pivot j as their last
    for (int e = threadIdx.x; e < TABLES * SLAB << j; e += blockDim.x) {
      int w = e % SLAB, m = e / SLAB & ((1 << j) - 1), t = e / SLAB >> j;
      u64* at = table + (t * ENTRIES + m) * SLAB + w;
      at[SLAB << j] = *at | pivots[(t * BITS + j) * SLAB + w];
    }
    __syncthreads();
  }
}

__device__ __forceinline__ u64 united(const u64* table, u64 who, int w) {
  u64 x = 0;
#pragma unroll
  for (int t = 0; t < TABLES; t++) x |= table[(t * ENTRIES + (who >> t * BITS & (ENTRIES - 1))) * SLAB + w];
  return x;
}

// Warshall's algorithm on 64 x 64 bits, by a warp, in registers.
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

extern "C" __global__ void __launch_bounds__(1024) close_pivot_block(i64 n, i64 shares, u64* T, const i64* first, i64 b) {
  if (first) b += *first;
  __shared__ u64 D[64], pivots[64 * SLAB];
  SHARED_ARRAY(u64, table);
  i64 words = (n + 63) / 64, slabs = (words + SLAB - 1) / SLAB;
  if (b >= words) return;
  for (int p = threadIdx.x; p < 64; p += blockDim.x) D[p] = 64 * b + p < n ? now(&T[(64 * b + p) * words + b]) : 0;
  __syncthreads();
  if (threadIdx.x < WARP) close_pivots(D);
  for (i64 task = blockIdx.x; task < slabs * shares; task += gridDim.x) {
    i64 slab = task % slabs, share = task / slabs;
    u64* S = T + slab * SLAB;
    int wide = words - slab * SLAB < SLAB ? words - slab * SLAB : SLAB;
    for (int e = threadIdx.x; e < 64 * SLAB; e += blockDim.x) {
      i64 j = 64 * b + e / SLAB;
      pivots[e] = j < n && e % SLAB < wide ? now(&S[j * words + e % SLAB]) : 0;
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
      u64 who = now(&T[j * words + b]);
      if (!who || w >= wide) continue;
      u64 old = S[j * words + w], x = old | united(table, who, w);
      if (x != old) S[j * words + w] = x;
    }
    __syncthreads();
  }
}
