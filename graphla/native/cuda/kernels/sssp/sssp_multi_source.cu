// Distances from COLUMNS sources at once in one cooperative launch, by sweeps of back-relaxation over a table D with a row per vertex
// and a column per source:
//     start   D(v, s) = d(s, hub) + d(hub, v), a bound of the distance through a hub; D(s, s) = 0; relax the sources' edges
//     sweep   D(v, s) = min over u in in(v) of D(u, s) + w(u, v), until no row is lowered or after max_sweeps sweeps
//
// Work split: a warp lowers a row, each lane LANE_COLUMNS of its columns, with BATCH edges in flight. A long row is shared by
// LONG_ROW_PARTS warps. Rows are sorted by weight, and a warp stops at the first edge that cannot help any column.
// Conflicts: a short row is written by its warp only, a long one by atomicMin. A row may be read while it is written: what is read
// too early is read in a later sweep.
// Memory: for each useful edge its end and weight, and a row of D; a sweep that follows one with few lowered rows reads those rows
// of D only that one of the two sweeps lowered.
// Source: V. Chakaravarthy et al., IPDPS 2014 (back-relaxation); A. Goldberg, C. Harrelson, SODA 2005 (bound by a landmark).
//
// Defined before: COLUMNS; what distances.cuh needs.
#include "grid.cuh"
#include "distances.cuh"

enum {
  LANE_COLUMNS = COLUMNS / WARP,
  BATCH = 8,
  LONG_ROW_PARTS = 32,
  FILTER_SHARE = 2  // if a sweep lowers fewer than one row in so many, the next one skips edges from rows that were not lowered
};

// The columns of a lane in one row.
struct alignas(LANE_COLUMNS * sizeof(Code) < 16 ? LANE_COLUMNS * sizeof(Code) : 16) LaneColumns {
  Code of[LANE_COLUMNS];
};

// State of the grid in global memory. The results of three sweeps take turns: one is read, one is filled, one is cleared.
struct State {
  u32 arrived, unused;
  u64 is_unfinished;
  u64 least[3][COLUMNS], lowered_rows[3];
};

// What a sweep lowers: the least new distance of each column, all ones if there is none, and the number of lowered short rows.
struct SweepResult {
  LaneColumns least;
  u64 lowered_rows;
};

struct Table {
  i64 n;
  Code* distances;
  u8* lowered_in;   // the last sweep that lowered a row
  u8* is_finished;  // whether not even a row's lightest edge is useful any more
  Rows in;
  __device__ __forceinline__ LaneColumns* row(i64 v) const { return (LaneColumns*)(distances + v * COLUMNS) + lane(); }
};

// The sum of two distances; infinity if it overflows.
__device__ __forceinline__ Code sum(Code a, Code b, Code infinity) {
  if (a == infinity || b == infinity) return infinity;
  Code total = to_code(to_distance(a) + to_distance(b));
  return total < a || total > infinity ? infinity : total;
}

// Start with the distances through the hub. source_vertices are those of the lane's columns, -1 if isolated.
__device__ __forceinline__ void bound_by_hub(const Table& table, const i32* source_vertices, const Code* to_hub, const Code* from_hub,
                                             Code infinity) {
  LaneColumns source_to_hub;
  for (int j = 0; j < LANE_COLUMNS; j++) source_to_hub.of[j] = source_vertices[j] >= 0 ? to_hub[source_vertices[j]] : infinity;
  for (i64 v = warp(); v < table.n; v += warps()) {
    LaneColumns bounds;
    for (int j = 0; j < LANE_COLUMNS; j++) bounds.of[j] = sum(source_to_hub.of[j], from_hub[v], infinity);
    *table.row(v) = bounds;
    if (lane() == 0) table.lowered_in[v] = table.is_finished[v] = 0;
  }
}

// Relax the sources' edges.
__device__ __forceinline__ void relax_sources(const Table& table, const Rows& out, const i64* sources, const i32* rank) {
  for (int c = 0; c < COLUMNS; c++) {
    i32 source = rank[sources[c]];
    if (source < 0) continue;
    if (thread() == 0) atomicMin(&table.distances[(i64)source * COLUMNS + c], (Code)0);
    for (i64 p = out.offsets[source] + thread(); p < out.offsets[source + 1]; p += threads())
      atomicMin(&table.distances[(i64)out.edges[p].to * COLUMNS + c], plus(0, out.edges[p].weight));
  }
}

// Whether an edge from a vertex at the distance `floor` could lower a column of `best`, in any lane.
__device__ __forceinline__ bool is_useful(const LaneColumns& floor, Distance weight, const LaneColumns& best) {
  bool lowers = false;
  for (int j = 0; j < LANE_COLUMNS; j++) lowers |= plus(floor.of[j], weight) < best.of[j];
  return ballot(lowers);
}

// Lower `best`, a row, by WARP edges at a time, the next ones `stride` further, while the lightest may be useful. With FILTERED
// edges from rows that neither this sweep nor the last one lowered are skipped. Returns false if no edge may be useful.
template <bool FILTERED>
__device__ __forceinline__ bool lower_row(const Table& table, LaneColumns& best, const LaneColumns& floor, i64 begin, i64 end, i64 stride,
                                          int sweep_number) {
#pragma unroll 1
  for (i64 p = begin; p < end; p += stride) {
    int count = min((i64)WARP, end - p), l = 0;
    Edge edge = table.in.edges[p + min(lane(), count - 1)];
    if (!is_useful(floor, from_lane(edge.weight, 0), best)) return p > begin;
    u32 lanes = FILTERED ? ballot(lane() < count && table.lowered_in[edge.to] + 1 >= sweep_number) : 0;
    if (FILTERED) count = __popc(lanes);
#pragma unroll 1
    for (int first = 0; first < count; first += BATCH) {
      if (first && !is_useful(floor, from_lane(edge.weight, FILTERED ? __ffs(lanes) - 1 : first), best)) return true;
      LaneColumns neighbour_row[BATCH];
      Distance weight[BATCH];
#pragma unroll
      for (int k = 0; k < BATCH; k++) {
        if (!FILTERED) l = min(first + k, count - 1);
        if (FILTERED && lanes) l = __ffs(lanes) - 1, lanes &= lanes - 1;
        neighbour_row[k] = *table.row(from_lane(edge.to, l));
        weight[k] = from_lane(edge.weight, l);
      }
#pragma unroll
      for (int k = 0; k < BATCH; k++)
        for (int j = 0; j < LANE_COLUMNS; j++) best.of[j] = min(best.of[j], plus(neighbour_row[k].of[j], weight[k]));
    }
  }
  return begin < end;
}

// Lower every row: first the parts of long rows, then the short rows that are not finished.
template <bool FILTERED> __device__ __forceinline__ SweepResult sweep(const Table& table, const LaneColumns& floor, int sweep_number) {
  SweepResult result;
  result.lowered_rows = 0;
  for (int j = 0; j < LANE_COLUMNS; j++) result.least.of[j] = ~(Code)0;
#pragma unroll 1
  for (i64 i = warp(); i < table.in.long_rows * LONG_ROW_PARTS; i += warps()) {
    i64 v = i / LONG_ROW_PARTS, end = table.in.offsets[v + 1];
    LaneColumns old_row = *table.row(v), best = old_row;
    lower_row<FILTERED>(table, best, floor, table.in.offsets[v] + i % LONG_ROW_PARTS * WARP, end, LONG_ROW_PARTS * WARP, sweep_number);
    for (int j = 0; j < LANE_COLUMNS; j++)
      if (best.of[j] < old_row.of[j] && best.of[j] < atomicMin(&table.row(v)->of[j], best.of[j]))
        table.lowered_in[v] = sweep_number, result.least.of[j] = min(result.least.of[j], best.of[j]);
  }
#pragma unroll 1
  for (i64 first = table.in.long_rows + warp(); first < table.n; first += WARP * warps()) {
    i64 lane_vertex = first + lane() * warps();
    bool is_open = lane_vertex < table.n && !table.is_finished[lane_vertex];
    i64 lane_begin = is_open ? table.in.offsets[lane_vertex] : 0, lane_end = is_open ? table.in.offsets[lane_vertex + 1] : 0;
#pragma unroll 1
    for (u32 open_lanes = ballot(is_open); open_lanes; open_lanes &= open_lanes - 1) {
      int l = __ffs(open_lanes) - 1;
      i64 v = first + l * warps();
      LaneColumns old_row = *table.row(v), best = old_row;
      if (!lower_row<FILTERED>(table, best, floor, from_lane(lane_begin, l), from_lane(lane_end, l), WARP, sweep_number)) table.is_finished[v] = 1;
      bool is_lower = false;
      for (int j = 0; j < LANE_COLUMNS; j++)
        if (best.of[j] < old_row.of[j]) is_lower = true, result.least.of[j] = min(result.least.of[j], best.of[j]);
      if (is_lower) *table.row(v) = best, table.lowered_in[v] = sweep_number;
      result.lowered_rows += ballot(is_lower) != 0;
    }
  }
  return result;
}

// Combine the results of all warps, after a barrier of the grid.
__device__ __forceinline__ SweepResult combine(State* state, int sweep_number, const SweepResult& warp_result) {
  __shared__ u64 block_least[COLUMNS], block_lowered_rows;
  int current = (sweep_number + 1) % 3, next = (sweep_number + 2) % 3;
  for (int c = threadIdx.x; c < COLUMNS; c += blockDim.x) {
    block_least[c] = ~0ull;
    if (blockIdx.x == 0) state->least[next][c] = ~0ull;
  }
  if (threadIdx.x == 0) block_lowered_rows = 0;
  if (thread() == 0) state->lowered_rows[next] = 0;
  __syncthreads();
  for (int j = 0; j < LANE_COLUMNS; j++)
    if (warp_result.least.of[j] != ~(Code)0) atomicMin(&block_least[lane() * LANE_COLUMNS + j], (u64)warp_result.least.of[j]);
  if (lane() == 0) atomicAdd(&block_lowered_rows, warp_result.lowered_rows);
  __syncthreads();
  for (int c = threadIdx.x; c < COLUMNS; c += blockDim.x)
    if (block_least[c] != ~0ull) atomicMin(&state->least[current][c], block_least[c]);
  if (threadIdx.x == 0) atomicAdd(&state->lowered_rows[current], block_lowered_rows);
  grid_barrier(&state->arrived);
  SweepResult total;
  for (int j = 0; j < LANE_COLUMNS; j++) total.least.of[j] = (Code)__ldcg(&state->least[current][lane() * LANE_COLUMNS + j]);
  total.lowered_rows = __ldcg(&state->lowered_rows[current]);
  return total;
}

// to_hub[v], from_hub[v]: upper bounds of the distances from v to a hub and back, as codes. state->is_unfinished: the last sweep
// still lowered a row.
extern "C" __global__ void __launch_bounds__(1024, 1)
    sssp_multi_source(i64 n, const i64* sources, const i32* rank, const Offset* out_offsets, const Edge* out_edges, const Offset* in_offsets,
                      const Edge* in_edges, i64 long_in_rows, const Code* to_hub, const Code* from_hub, i64 infinity, Code* distances,
                      u8* lowered_in, u8* is_finished, State* state, i64 max_sweeps) {
  Table table = {n, distances, lowered_in, is_finished, {in_offsets, in_edges, long_in_rows}};
  Rows out = {out_offsets, out_edges, 0};
  i32 source_vertices[LANE_COLUMNS];
  // The least distance of a row whose edges may not have been relaxed: at first the source's lightest edge, as all of its edges have
  // been; then the least distance that the last sweep wrote.
  LaneColumns floor;
  for (int j = 0; j < LANE_COLUMNS; j++) {
    i32 source = source_vertices[j] = rank[sources[lane() * LANE_COLUMNS + j]];
    floor.of[j] = source >= 0 && out.offsets[source] < out.offsets[source + 1] ? plus(0, out.edges[out.offsets[source]].weight) : (Code)infinity;
  }
  for (i64 c = thread(); c < COLUMNS; c += threads()) state->least[2][c] = ~0ull;
  if (thread() == 0) state->lowered_rows[2] = 0;
  bound_by_hub(table, source_vertices, to_hub, from_hub, infinity);
  grid_barrier(&state->arrived);
  relax_sources(table, out, sources, rank);
  grid_barrier(&state->arrived);
  bool any_lowered = true, is_filtered = false;
  for (int sweep_number = 1; any_lowered && sweep_number <= max_sweeps; sweep_number++) {
    SweepResult result =
        combine(state, sweep_number, is_filtered ? sweep<true>(table, floor, sweep_number) : sweep<false>(table, floor, sweep_number));
    any_lowered = false;
    for (int j = 0; j < LANE_COLUMNS; j++) {
      any_lowered |= result.least.of[j] != ~(Code)0;
      floor.of[j] = min(result.least.of[j], (Code)infinity);
    }
    any_lowered = ballot(any_lowered);
    is_filtered = result.lowered_rows < (u64)n / FILTER_SHARE;
  }
  if (thread() == 0) state->is_unfinished = any_lowered;
}
