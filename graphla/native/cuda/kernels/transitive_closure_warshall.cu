// Warshall's closure of rows of bits as one cooperative launch: bit j of row i, a path from i to j. For PIVOTS
// vertices at a time, the pivots,
//   1. their relation among themselves is closed, and so are their rows,
//   2. each row takes the union of the rows of those pivots that it has.
// A row that others read while it grows is, as they see it, between its old and its closed value; the unions
// that it gives are the same in the end.
#include "unions.cuh"

struct Relation {
  int n, across;  // rows, quads of a row
  Quad* rows;
  __device__ __forceinline__ Quad* row(int i) const { return rows + (i64)i * across; }
};

struct Room {
  Quad *table, *pivots;
  u32* D;
};

// Give `count` rows from `first` on the unions of the pivots from `pivot` on that `who` names: 32 of these at a time
// in a word, `apart` words for each row. A task is SLAB quads of as many rows as there are MANY for each of SLAB threads.
template <int MANY>
__device__ __forceinline__ void unite(const Relation& R, int pivot, int first, int count, const Room& room, const u32* who, i64 apart) {
  __shared__ u32 needed;
  const int step = max(1, (int)blockDim.x / SLAB), mine = threadIdx.x / SLAB, subs = min((int)SUBS, 4 * R.across - pivot / 32);
  int slabs = (R.across + SLAB - 1) / SLAB, shares = (count + step * MANY - 1) / (step * MANY);
  for (int task = blockIdx.x; task < slabs * shares; task += gridDim.x)
    for (int q = threadIdx.x % SLAB; q < SLAB; q += blockDim.x) {
      int slab = task % slabs * SLAB, begin = task / slabs * step * MANY + mine;
      int live = begin < count ? (count - begin + step - 1) / step : 0;  // rows of this thread, if not more than MANY
      bool inside = slab + q < R.across;
      for (int e = threadIdx.x; e < PIVOTS * SLAB; e += blockDim.x) {
        int k = pivot + e / SLAB, at = slab + e % SLAB;
        room.pivots[e] = k < R.n && at < R.across ? R.row(k)[at] : Quad();
      }
      if (threadIdx.x == 0) needed = 0;
      __syncthreads();
      Quad x[MANY], *rows = R.row(first + begin) + slab + q, *row = rows;
      const u32* whose = who + (live ? begin : 0) * apart;
      const i64 hop = step * apart, jump = (i64)step * R.across;
      u32 found = 0;
#pragma unroll
      for (int j = 0; j < MANY; j++, row += jump) x[j] = j < live && inside ? *row : Quad();
      for (int j = 0; j < min((int)MANY, live); j++)
        for (int s = blockDim.x < SLAB ? 0 : q; s < subs; s += blockDim.x < SLAB ? 1 : SLAB) found |= (u32)(whose[j * hop + s] != 0) << s;
      if (found) atomicOr(&needed, found);
      __syncthreads();
      for (int s = 0; s < subs; s++) {
        if (!(needed >> s & 1)) continue;
        tabulate(room.pivots + 32 * s * SLAB, room.table);
        u32 pivots[MANY];
        const u32* at = whose + s;
#pragma unroll
        for (int j = 0; j < MANY; j++, at += j < live ? hop : 0) pivots[j] = *at;
        __syncthreads();
#pragma unroll
        for (int j = 0; j < MANY; j++) x[j] = x[j] | united(room.table, pivots[j], q);
        __syncthreads();
      }
#pragma unroll
      for (int j = 0; j < MANY; j++, rows += jump)
        if (j < live && inside) *rows = x[j];
      __syncthreads();
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) transitive_closure_warshall(i64 n, i64 across, Quad* rows, u32* arrived) {
  SHARED_ARRAY(Quad, shared);
  Relation R = {(int)n, (int)across, rows};
  Room room = {shared, shared + TABLES * ENTRIES * SLAB, (u32*)(shared + (TABLES * ENTRIES + PIVOTS) * SLAB)};
  for (int pivot = 0; pivot < R.n; pivot += PIVOTS) {
    int count = min((int)PIVOTS, R.n - pivot), word = pivot / 32;
    for (int e = threadIdx.x; e < PIVOTS * SUBS; e += blockDim.x) {
      bool inside = e / SUBS < count && word + e % SUBS < 4 * R.across;
      room.D[e] = inside ? ((const u32*)R.row(pivot + e / SUBS))[word + e % SUBS] : 0;
    }
    __syncthreads();
    close_pivots(room.D, (u32*)room.table);
    unite<1>(R, pivot, pivot, count, room, room.D, SUBS);
    grid_barrier(arrived);
    unite<MANY>(R, pivot, 0, R.n, room, (const u32*)R.rows + word, 4 * R.across);
    grid_barrier(arrived);
  }
}
