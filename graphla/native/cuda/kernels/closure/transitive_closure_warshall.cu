// Warshall's closure of rows of bits as one cooperative launch: bit j of row i, a path from i to j. For PIVOTS
// vertices at a time, the pivots,
//   1. their rows are united as the closure of their relation among themselves says,
//   2. each row takes the union of the rows of those pivots that it has. Meanwhile the first block closes
//      the relation of the next pivots, which it brings up to date for itself.
// A row that others read while it grows is, as they see it, between its old and its closed value; the unions that it
// gives are the same in the end: pivots that it has got by a pivot add nothing to that one's closed row. The first
// block writes `closed` when all have read it, and reads of the next pivots' rows no more than the others do.
#include "pivot_unions.cuh"

struct Relation {
  int n, across;  // rows, quads of a row
  Quad* rows;
  __device__ __forceinline__ Quad* row(int i) const { return rows + (i64)i * across; }
};

struct Room {
  Quad *tables, *pivots, *D;
};

// Rows first..first+count-1, in columns of which the first quad is `from` and there are `slabs` slabs, and which
// pivots, from `pivot` on, each of them has: words that are `apart` from row to row.
struct Task {
  int pivot, first, count, from, slabs;
  const u32* who;
  i64 apart;
};

// Which FEW pivots of 32 a row has any of: a bit for the first, a bit for the others.
__device__ __forceinline__ u32 halves(u32 who) { return (u32)((who & 0xffff) != 0) | (u32)(who >> FEW != 0) << 1; }

// Which of 32 pivots, which are two parts, each row of this thread has.
template <int MANY> __device__ __forceinline__ void ask(const u32* whose, i64 hop, int live, u32 (&who)[MANY]) {
#pragma unroll
  for (int j = 0; j < MANY; j++, whose += j < live ? hop : 0) who[j] = *whose;
}

// Hand the rows of a task, with the unions of their pivots, to `keep`, by SLAB quads of as many rows as there are MANY
// for each of SLAB threads. The unions of FEW pivots are tabulated while those of FEW others are used.
template <int MANY, class Keep>
__device__ __forceinline__ void unite(const Relation& R, const Task& t, const Room& room, int worker, int workers, Keep keep) {
  __shared__ u32 needed;  // a bit for each part of the pivots
  const int step = max(1, (int)blockDim.x / SLAB), mine = threadIdx.x / SLAB, subs = min((int)SUBS, 4 * R.across - t.pivot / 32);
  const i64 hop = step * t.apart, jump = (i64)step * R.across;
  for (int task = worker; task < t.slabs * ((t.count + step * MANY - 1) / (step * MANY)); task += workers)
    for (int q = threadIdx.x % SLAB; q < SLAB; q += blockDim.x) {
      int slab = t.from + task % t.slabs * SLAB, begin = task / t.slabs * step * MANY + mine;
      int live = begin < t.count ? (t.count - begin + step - 1) / step : 0;  // rows of this thread, if not more than MANY
      bool inside = slab + q < R.across;
      for (int e = threadIdx.x; e < PIVOTS * SLAB; e += blockDim.x) {
        int k = t.pivot + e / SLAB, at = slab + e % SLAB;
        room.pivots[e] = k < R.n && at < R.across ? R.row(k)[at] : Quad();
      }
      if (threadIdx.x == 0) needed = 0;
      __syncthreads();
      Quad x[MANY];
      const Quad* row = R.row(t.first + begin) + slab + q;
      const u32* whose = t.who + (live ? begin : 0) * t.apart;
      u32 found = 0;
#pragma unroll
      for (int j = 0; j < MANY; j++, row += jump) x[j] = j < live && inside ? *row : Quad();
      for (int j = 0; j < min((int)MANY, live); j++)
        for (int s = blockDim.x < SLAB ? 0 : q; s < subs; s += blockDim.x < SLAB ? 1 : SLAB) found |= halves(whose[j * hop + s]) << 2 * s;
      if (found) atomicOr(&needed, found);
      __syncthreads();
      Quad *table = room.tables, *other = table + TABLES * ENTRIES * SLAB;
      u32 left = needed;
      if (left) tabulate(room.pivots + FEW * (__ffs(left) - 1) * SLAB, table);
      __syncthreads();
      u32 who[MANY];
      for (int asked = -1; left;) {
        int part = __ffs(left) - 1, shift = part % 2 * FEW;
        if (part / 2 != asked) ask(whose + (asked = part / 2), hop, live, who);
        left &= left - 1;
        if (left) tabulate(room.pivots + FEW * (__ffs(left) - 1) * SLAB, other);
#pragma unroll
        for (int j = 0; j < MANY; j++) x[j] = x[j] | united(table, who[j] >> shift, q);
        Quad* used = table;
        table = other, other = used;
        __syncthreads();
      }
#pragma unroll
      for (int j = 0; j < MANY; j++)
        if (j < live && inside) keep(begin + j * step, slab + q, x[j]);
    }
}

// Close the relation of pivots among themselves, which is in D, and put it where all blocks find it.
__device__ __forceinline__ void publish(const Room& room, Quad* closed) {
  __syncthreads();
  close_pivots(room.D, room.tables);
  for (int e = threadIdx.x; e < PIVOTS * WIDE; e += blockDim.x) closed[e] = room.D[e];
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    transitive_closure_warshall(i64 n, i64 across, Quad* rows, Quad* closed, u32* arrived) {
  SHARED_ARRAY(Quad, shared);
  Relation R = {(int)n, (int)across, rows};
  Room room = {shared, shared + 2 * TABLES * ENTRIES * SLAB, shared + (2 * TABLES * ENTRIES + PIVOTS) * SLAB};
  const int slabs = (R.across + SLAB - 1) / SLAB;
  if (blockIdx.x == 0) {
    for (int e = threadIdx.x; e < PIVOTS * WIDE; e += blockDim.x)
      room.D[e] = e / WIDE < R.n && e % WIDE < R.across ? R.row(e / WIDE)[e % WIDE] : Quad();
    publish(room, closed);
  }
  for (int pivot = 0; pivot < R.n; pivot += PIVOTS) {
    int count = min((int)PIVOTS, R.n - pivot), next = pivot + PIVOTS;
    grid_barrier(arrived);
    for (int e = threadIdx.x; e < PIVOTS * WIDE; e += blockDim.x) room.D[e] = closed[e];
    __syncthreads();
    unite<FIRST>(R, {pivot, pivot, count, 0, slabs, (u32*)room.D, SUBS}, room, blockIdx.x, gridDim.x,
             [&](int i, int q, Quad x) { R.row(pivot + i)[q] = x; });
    grid_barrier(arrived);
    const u32* who = (const u32*)R.rows + pivot / 32;
    int spared = next < R.n && gridDim.x > 1;
    if (next < R.n && blockIdx.x == 0) {
      for (int e = threadIdx.x; e < PIVOTS * WIDE; e += blockDim.x) room.D[e] = Quad();
      unite<AHEAD>(R, {pivot, next, min((int)PIVOTS, R.n - next), next / 128, 1, who + (i64)next * R.across * 4, 4 * R.across}, room, 0, 1,
                   [&](int i, int q, Quad x) { if (q - next / 128 < WIDE) room.D[i * WIDE + q - next / 128] = x; });
      publish(room, closed);
    }
    if (blockIdx.x >= spared)
      unite<MANY>(R, {pivot, 0, R.n, 0, slabs, who, 4 * R.across}, room, blockIdx.x - spared, gridDim.x - spared,
                  [&](int i, int q, Quad x) { R.row(i)[q] = x; });
  }
}
