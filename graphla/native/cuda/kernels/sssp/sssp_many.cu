// Distances from COLUMNS sources at once, as one cooperative launch. A row of the table belongs to a vertex, and
// some of its columns to each lane of a warp.
#include "grid.cuh"
#include "distances.cuh"

enum {
  PER = COLUMNS / WARP,  // columns of a lane
  BATCH = 8,             // edges in flight
  PARTS = 32,            // shares of a long row
  SIFT = 2               // where fewer than one row in so many are lowered, edges from others are sifted out
};

struct alignas(PER * sizeof(Code) < 16 ? PER * sizeof(Code) : 16) Part {
  Code of[PER];
};

struct State {
  u32 arrived, unused;
  u64 unfinished;
  u64 least[3][COLUMNS], rows[3];  // what sweeps have lowered: one is read, one is filled, one is cleared
};

struct Found {
  Part least;  // of the distances that a sweep has lowered: all ones where it has none of a column
  u64 rows;    // which have one
};

struct Table {
  i64 n;
  Code* dist;
  u8* lowered;  // the last sweep that has lowered a row
  u8* closed;   // whether a row's lightest edge is of no use any more
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
    if (lane() == 0) t.lowered[v] = t.closed[v] = 0;
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

// Lower a row by edges WARP at a time, the next ones `stride` after them, as long as the lightest may be of use;
// where SIFTED by those alone from rows that this sweep or the last one has lowered. False where none may be.
template <bool SIFTED>
__device__ __forceinline__ bool look(const Table& t, Part& best, const Part& floor, i64 begin, i64 end, i64 stride, int round) {
#pragma unroll 1
  for (i64 p = begin; p < end; p += stride) {
    int count = min((i64)WARP, end - p), l = 0;
    Edge mine = t.in.edges[p + min(lane(), count - 1)];
    if (!of_use(floor, from_lane(mine.weight, 0), best)) return p > begin;
    u32 who = SIFTED ? ballot(lane() < count && t.lowered[mine.to] + 1 >= round) : 0;
    if (SIFTED) count = __popc(who);
#pragma unroll 1
    for (int first = 0; first < count; first += BATCH) {
      if (first && !of_use(floor, from_lane(mine.weight, SIFTED ? __ffs(who) - 1 : first), best)) return true;
      Part d[BATCH];
      Distance weight[BATCH];
#pragma unroll
      for (int k = 0; k < BATCH; k++) {
        if (!SIFTED) l = min(first + k, count - 1);
        if (SIFTED && who) l = __ffs(who) - 1, who &= who - 1;
        d[k] = *t.row(from_lane(mine.to, l));
        weight[k] = from_lane(mine.weight, l);
      }
#pragma unroll
      for (int k = 0; k < BATCH; k++)
        for (int j = 0; j < PER; j++) best.of[j] = min(best.of[j], plus(d[k].of[j], weight[k]));
    }
  }
  return begin < end;
}

// Lower every row.
template <bool SIFTED> __device__ __forceinline__ Found sweep(const Table& t, const Part& floor, int round) {
  Found found;
  found.rows = 0;
  for (int j = 0; j < PER; j++) found.least.of[j] = ~(Code)0;
#pragma unroll 1
  for (i64 i = warp(); i < t.in.longs * PARTS; i += warps()) {
    i64 v = i / PARTS, end = t.in.ends[v + 1];
    Part before = *t.row(v), best = before;
    look<SIFTED>(t, best, floor, t.in.ends[v] + i % PARTS * WARP, end, PARTS * WARP, round);
    for (int j = 0; j < PER; j++)
      if (best.of[j] < before.of[j] && best.of[j] < atomicMin(&t.row(v)->of[j], best.of[j]))
        t.lowered[v] = round, found.least.of[j] = min(found.least.of[j], best.of[j]);
  }
#pragma unroll 1
  for (i64 first = t.in.longs + warp(); first < t.n; first += WARP * warps()) {
    i64 mine = first + lane() * warps();
    bool open = mine < t.n && !t.closed[mine];
    i64 begins = open ? t.in.ends[mine] : 0, ends = open ? t.in.ends[mine + 1] : 0;
#pragma unroll 1
    for (u32 who = ballot(open); who; who &= who - 1) {
      int k = __ffs(who) - 1;
      i64 v = first + k * warps();
      Part before = *t.row(v), best = before;
      if (!look<SIFTED>(t, best, floor, from_lane(begins, k), from_lane(ends, k), WARP, round)) t.closed[v] = 1;
      bool lower = false;
      for (int j = 0; j < PER; j++)
        if (best.of[j] < before.of[j]) lower = true, found.least.of[j] = min(found.least.of[j], best.of[j]);
      if (lower) *t.row(v) = best, t.lowered[v] = round;
      found.rows += ballot(lower) != 0;
    }
  }
  return found;
}

// Make one of what all warps have found.
__device__ __forceinline__ Found close(State* state, int round, const Found& mine) {
  __shared__ u64 least[COLUMNS], rows;
  int now = (round + 1) % 3, next = (round + 2) % 3;
  for (int c = threadIdx.x; c < COLUMNS; c += blockDim.x) {
    least[c] = ~0ull;
    if (blockIdx.x == 0) state->least[next][c] = ~0ull;
  }
  if (threadIdx.x == 0) rows = 0;
  if (thread() == 0) state->rows[next] = 0;
  __syncthreads();
  for (int j = 0; j < PER; j++)
    if (mine.least.of[j] != ~(Code)0) atomicMin(&least[lane() * PER + j], (u64)mine.least.of[j]);
  if (lane() == 0) atomicAdd(&rows, mine.rows);
  __syncthreads();
  for (int c = threadIdx.x; c < COLUMNS; c += blockDim.x)
    if (least[c] != ~0ull) atomicMin(&state->least[now][c], least[c]);
  if (threadIdx.x == 0) atomicAdd(&state->rows[now], rows);
  grid_barrier(&state->arrived);
  Found found;
  for (int j = 0; j < PER; j++) found.least.of[j] = (Code)__ldcg(&state->least[now][lane() * PER + j]);
  found.rows = __ldcg(&state->rows[now]);
  return found;
}

extern "C" __global__ void __launch_bounds__(1024, 1)
    sssp_many(i64 n, const i64* sources, const i32* rank, const Offset* out_ends, const Edge* out_edges, const Offset* in_ends,
              const Edge* in_edges, i64 longs, const Code* up, const Code* down, i64 infinity, Code* dist, u8* lowered,
              u8* closed, State* state, i64 sweeps) {
  Table t = {n, dist, lowered, closed, {in_ends, in_edges, longs}};
  Rows out = {out_ends, out_edges, 0};
  i32 from[PER];
  Part floor;  // all vertices but the source are no nearer than by its lightest edge, and its edges are all relaxed
  for (int j = 0; j < PER; j++) {
    i32 s = from[j] = rank[sources[lane() * PER + j]];
    floor.of[j] = s >= 0 && out.ends[s] < out.ends[s + 1] ? plus(0, out.edges[out.ends[s]].weight) : (Code)infinity;
  }
  for (i64 c = thread(); c < COLUMNS; c += threads()) state->least[2][c] = ~0ull;
  if (thread() == 0) state->rows[2] = 0;
  bound(t, from, up, down, infinity);
  grid_barrier(&state->arrived);
  start(t, out, sources, rank);
  grid_barrier(&state->arrived);
  bool any = true, sifted = false;
  for (int round = 1; any && round <= sweeps; round++) {
    Found found = close(state, round, sifted ? sweep<true>(t, floor, round) : sweep<false>(t, floor, round));
    any = false;
    for (int j = 0; j < PER; j++) {
      any |= found.least.of[j] != ~(Code)0;
      floor.of[j] = min(found.least.of[j], (Code)infinity);  // rows lowered less far have been looked at
    }
    any = ballot(any);
    sifted = found.rows < (u64)n / SIFT;
  }
  if (thread() == 0) state->unfinished = any;
}
