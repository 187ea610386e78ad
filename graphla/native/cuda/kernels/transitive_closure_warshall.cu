// Warshall's closure of rows of bits as one cooperative launch: bit j of row i, a path from i to j. For PIVOTS
// vertices at a time, the pivots,
//   1. their relation among themselves is closed, and so are their rows,
//   2. each other row takes the union of the rows of those pivots that it has.
// A row that others read while it grows is, as they see it, between its old and its closed value; the unions
// that it gives are the same in the end.
#include "unions.cuh"

struct Relation {
  int n, across;  // rows, quads of a row
  Quad* rows;
  __device__ __forceinline__ Quad& at(int i, int q) const { return rows[(i64)i * across + q]; }
  __device__ __forceinline__ u32 word(int i, int w) const { return w < 4 * across ? ((const u32*)&at(i, 0))[w] : 0; }
};

struct Room {
  Quad *table, *pivots;
  u32* D;
};

// Give `count` rows from `first` on the unions of the pivots of block b that `who` names: 32 of these at a time in a
// word. A task is SLAB quads of as many rows as there are MANY for each thread.
template <int MANY, class Who> __device__ __forceinline__ void unite(const Relation& R, int b, int first, int count, const Room& room, Who who) {
  __shared__ u32 needed;
  int slabs = (R.across + SLAB - 1) / SLAB, units = count * SLAB, share = blockDim.x * MANY;
  for (int task = blockIdx.x; task < slabs * ((units + share - 1) / share); task += gridDim.x) {
    int quad = task % slabs * SLAB, unit = task / slabs * share + threadIdx.x;
    for (int e = threadIdx.x; e < PIVOTS * SLAB; e += blockDim.x) {
      int k = b * PIVOTS + e / SLAB, q = quad + e % SLAB;
      room.pivots[e] = k < R.n && q < R.across ? R.at(k, q) : Quad();
    }
    if (threadIdx.x == 0) needed = 0;
    __syncthreads();
    Quad x[MANY];
    u32 mine = 0;
#pragma unroll
    for (int j = 0; j < MANY; j++) {
      int u = unit + j * blockDim.x, i = first + u / SLAB, q = quad + u % SLAB;
      x[j] = u < units && q < R.across ? R.at(i, q) : Quad();
      int step = min((int)blockDim.x, (int)SLAB);  // the words of a row are looked at by those who have its quads
      for (int s = u % step; u < units && s < SUBS; s += step) mine |= (u32)(who(i, s) != 0) << s;
    }
    if (mine) atomicOr(&needed, mine);
    __syncthreads();
    for (int s = 0; s < SUBS; s++) {
      if (!(needed >> s & 1)) continue;
      u32 pivots[MANY];
#pragma unroll
      for (int j = 0; j < MANY; j++) {
        int u = unit + j * blockDim.x;
        pivots[j] = u < units ? who(first + u / SLAB, s) : 0;
      }
      tabulate(room.pivots + 32 * s * SLAB, room.table);
      __syncthreads();
#pragma unroll
      for (int j = 0; j < MANY; j++) x[j] = x[j] | united(room.table, pivots[j], (unit + j * blockDim.x) % SLAB);
      __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < MANY; j++) {
      int u = unit + j * blockDim.x, q = quad + u % SLAB;
      if (u < units && q < R.across) R.at(first + u / SLAB, q) = x[j];
    }
    __syncthreads();
  }
}

extern "C" __global__ void __launch_bounds__(1024, 1) transitive_closure_warshall(i64 n, i64 across, Quad* rows, u32* arrived) {
  SHARED_ARRAY(Quad, shared);
  Relation R = {(int)n, (int)across, rows};
  Room room = {shared, shared + TABLES * ENTRIES * SLAB, (u32*)(shared + (TABLES * ENTRIES + PIVOTS) * SLAB)};
  for (int b = 0; b * PIVOTS < R.n; b++) {
    int first = b * PIVOTS, count = min((int)PIVOTS, R.n - first);
    for (int e = threadIdx.x; e < PIVOTS * SUBS; e += blockDim.x)
      room.D[e] = e / SUBS < count ? R.word(first + e / SUBS, b * SUBS + e % SUBS) : 0;
    __syncthreads();
    close_pivots(room.D, (u32*)room.table);
    unite<1>(R, b, first, count, room, [&](int i, int s) { return room.D[(i - first) * SUBS + s]; });
    grid_barrier(arrived);
    unite<MANY>(R, b, 0, R.n, room, [&](int i, int s) { return R.word(i, b * SUBS + s); });
    grid_barrier(arrived);
  }
}
