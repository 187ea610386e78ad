// Distances from COLUMNS sources at once, as one cooperative launch. A row of the table belongs to a vertex, and
// some of its columns to each lane of a warp.
#include "grid.cuh"
#include "distances.cuh"

enum { PER = COLUMNS / WARP, BATCH = 8, PARTS = 32 };  // columns of a lane, edges in flight, shares of a long row

struct alignas(PER * sizeof(Code) < 16 ? PER * sizeof(Code) : 16) Part {
  Code of[PER];
};

struct State {
  u32 arrived, unused;
  u64 unfinished;
  u64 least[3][COLUMNS];  // what a sweep has lowered: one is read, one is filled, one is cleared
};

struct Table {
  i64 n;
  Code* dist;
  u8* lowered;  // the last sweep that has lowered a row
  Rows in;
  __device__ __forceinline__ Part* row(i64 v) const { return (Part*)(dist + v * COLUMNS) + lane(); }
};

__device__ __forceinline__ Code sum(Code a, Code b, Code infinity) {
  if (a == infinity || b == infinity) return infinity;
  Code both = code(value(a) + value(b));
  return both < a || both > infinity ? infinity : both;
}

// The way by a landmark, to which each source has the distance `up`, and it to each vertex `down`, bounds all distances.
__device__ __forceinline__ void bound(const Table& t, const i32* from, const Code* up, const Code* down, Code infinity) {
  Part mine;
  for (int j = 0; j < PER; j++) mine.of[j] = from[j] >= 0 ? up[from[j]] : infinity;
  for (i64 v = warp(); v < t.n; v += warps()) {
    Part d;
    for (int j = 0; j < PER; j++) d.of[j] = sum(mine.of[j], down[v], infinity);
    *t.row(v) = d;
    if (lane() == 0) t.lowered[v] = 0;
  }
}

// The sources and their edges.
__device__ __forceinline__ void start(const Table& t, const Rows& out, const i64* sources, const i32* rank) {
  for (int c = 0; c < COLUMNS; c++) {
    i32 s = rank[sources[c]];
    if (s < 0) continue;
    if (thread() == 0) atomicMin(&t.dist[(i64)s * COLUMNS + c], (Code)0);
    for (i64 p = out.ends[s] + thread(); p < out.ends[s + 1]; p += threads())
      atomicMin(&t.dist[(i64)out.edges[p].to * COLUMNS + c], plus(0, out.edges[p].weight));
  }
}

// Whether an edge from a vertex at the distance `floor` would be of use to a column.
__device__ __forceinline__ bool of_use(const Part& floor, Distance weight, const Part& best) {
  bool any = false;
  for (int j = 0; j < PER; j++) any |= plus(floor.of[j], weight) < best.of[j];
  return ballot(any);
}

// Lower a row by edges from rows that this sweep or the last one has lowered: WARP edges at a time, the next ones
// `stride` after them, as long as the lightest may be of use.
__device__ __forceinline__ void look(const Table& t, Part& best, const Part& floor, i64 begin, i64 end, i64 stride, int round) {
#pragma unroll 1
  for (; begin < end; begin += stride) {
    int count = min((i64)WARP, end - begin);
    Edge mine = t.in.edges[begin + min(lane(), count - 1)];
    u32 who = ballot(lane() < count && t.lowered[mine.to] + 1 >= round);
    if (!of_use(floor, from_lane(mine.weight, 0), best)) return;
#pragma unroll 1
    while (who) {
      if (!of_use(floor, from_lane(mine.weight, __ffs(who) - 1), best)) return;
      Part d[BATCH];
      Distance weight[BATCH];
      int l = 0;
#pragma unroll
      for (int k = 0; k < BATCH; k++) {
        if (who) l = __ffs(who) - 1, who &= who - 1;
        d[k] = *t.row(from_lane(mine.to, l));
        weight[k] = from_lane(mine.weight, l);
      }
#pragma unroll
      for (int k = 0; k < BATCH; k++)
        for (int j = 0; j < PER; j++) best.of[j] = min(best.of[j], plus(d[k].of[j], weight[k]));
    }
  }
}

// Lower every row; return the least that has changed in each column, all ones where nothing has.
__device__ __forceinline__ Part sweep(const Table& t, const Part& floor, int round) {
  Part least;
  for (int j = 0; j < PER; j++) least.of[j] = ~(Code)0;
#pragma unroll 1
  for (i64 i = warp(); i < t.in.longs * PARTS; i += warps()) {
    i64 v = i / PARTS, end = t.in.ends[v + 1];
    Part before = *t.row(v), best = before;
    look(t, best, floor, t.in.ends[v] + i % PARTS * WARP, end, PARTS * WARP, round);
    for (int j = 0; j < PER; j++)
      if (best.of[j] < before.of[j] && best.of[j] < atomicMin(&t.row(v)->of[j], best.of[j]))
        t.lowered[v] = round, least.of[j] = min(least.of[j], best.of[j]);
  }
#pragma unroll 1
  for (i64 first = t.in.longs + warp(); first < t.n; first += WARP * warps()) {
    i64 mine = first + lane() * warps();
    bool has = mine < t.n;
    i64 begins = has ? t.in.ends[mine] : 0, ends = has ? t.in.ends[mine + 1] : 0;
    int count = __popc(ballot(has));
#pragma unroll 1
    for (int k = 0; k < count; k++) {
      Part* row = t.row(first + k * warps());
      Part before = *row, best = before;
      look(t, best, floor, from_lane(begins, k), from_lane(ends, k), WARP, round);
      bool lower = false;
      for (int j = 0; j < PER; j++)
        if (best.of[j] < before.of[j]) lower = true, least.of[j] = min(least.of[j], best.of[j]);
      if (lower) *row = best, t.lowered[first + k * warps()] = round;
    }
  }
  return least;
}

// Make one of what all warps have found, and return it. Whoever was lowered less than that has been looked at.
__device__ __forceinline__ Part close(State* state, int round, const Part& mine) {
  __shared__ u64 least[COLUMNS];
  for (int c = threadIdx.x; c < COLUMNS; c += blockDim.x) {
    least[c] = ~0ull;
    if (blockIdx.x == 0) state->least[(round + 2) % 3][c] = ~0ull;
  }
  __syncthreads();
  for (int j = 0; j < PER; j++)
    if (mine.of[j] != ~(Code)0) atomicMin(&least[lane() * PER + j], (u64)mine.of[j]);
  __syncthreads();
  u64* all = state->least[(round + 1) % 3];
  for (int c = threadIdx.x; c < COLUMNS; c += blockDim.x)
    if (least[c] != ~0ull) atomicMin(&all[c], least[c]);
  grid_barrier(&state->arrived);
  Part found;
  for (int j = 0; j < PER; j++) found.of[j] = (Code)__ldcg(&all[lane() * PER + j]);
  return found;
}

extern "C" __global__ void __launch_bounds__(1024, 1)
    sssp_many(i64 n, const i64* sources, const i32* rank, const Offset* out_ends, const Edge* out_edges, const Offset* in_ends,
              const Edge* in_edges, i64 longs, const Code* up, const Code* down, i64 infinity, Code* dist, u8* lowered,
              State* state, i64 sweeps) {
  Table t = {n, dist, lowered, {in_ends, in_edges, longs}};
  Rows out = {out_ends, out_edges, 0};
  i32 from[PER];
  Part floor;  // all vertices but the source are no nearer than by its lightest edge, and its edges are all relaxed
  for (int j = 0; j < PER; j++) {
    i32 s = from[j] = rank[sources[lane() * PER + j]];
    floor.of[j] = s >= 0 && out.ends[s] < out.ends[s + 1] ? plus(0, out.edges[out.ends[s]].weight) : (Code)infinity;
  }
  for (i64 c = thread(); c < COLUMNS; c += threads()) state->least[2][c] = ~0ull;
  bound(t, from, up, down, infinity);
  grid_barrier(&state->arrived);
  start(t, out, sources, rank);
  grid_barrier(&state->arrived);
  bool any = true;
  for (int round = 1; any && round <= sweeps; round++) {
    floor = close(state, round, sweep(t, floor, round));
    any = false;
    for (int j = 0; j < PER; j++) {
      any |= floor.of[j] != ~(Code)0;
      floor.of[j] = min(floor.of[j], (Code)infinity);
    }
    any = ballot(any);
  }
  if (thread() == 0) state->unfinished = any;
}
