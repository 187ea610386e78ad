// Levels of a traversal by push:  q<~visited, replace> = q' A for a list q, with the epilogue for each entry of the new q
// (traversal_epilogue.cuh); for monoids where any value will do.
//
// The kernel runs up to `max_levels` levels in one cooperative launch, until q is empty, or PushPullState says pull.
// Work split: a warp takes up to 32 entries of q and distributes their edges over its lanes by a prefix sum of the degrees.
// Rows of UNIT edges or more are queued; after a grid barrier all warps take equal numbers of units of UNIT edges of them.
// Conflicts: a target is claimed by its visited bit (atomicOr), after a plain read. New entries are collected in shared
// memory and appended to the list with one atomic addition per full buffer (warp-aggregated append).
// Memory: for each level reads q, its rows' offsets and columns, and the visited bit once an edge; writes the new q and the
// writers' values.
// Source: Beamer, Asanovic, Patterson, SC 2012 (direction-optimizing search).
// Defined before: UNIT, HAS_LONG_ROWS, BLOCK, STATE_WORDS, EdgeOffset; what traversal_epilogue.cuh, traversal_peers.cuh and
// spmv_multiply.cuh need.
#include "spmv_multiply.cuh"
#include "traversal_peers.cuh"
#include "bits.cuh"
#include "traversal_epilogue.cuh"
#include "host_result.cuh"
#include "grid.cuh"
#include "long_rows.cuh"
enum { EDGES_PER_LANE = UNIT / WARP, BUFFER_SIZE = 2 * UNIT };  // of a unit; in entries, for each warp

struct Entry {
  Index key;
  Z value;
};

struct List {
  Index* keys;
  Z* values;
  u64* size;
};

struct LevelCounts {
  u64 size, edges, long_rows;  // entries of the new q, and their edges; the counter of LongRows
};
// State of the grid in global memory, 0 before the launch.
struct State {
  u32 arrived, unused;
  LevelCounts counts[3];  // of this level, the next and the previous one, in turn
  i64 size, edges, largest;  // of all devices; size is negative if one of them has not ended the level
};

// PushPullState.advance of execution/push_pull.py for levels by push.
struct PushPullState {
  i64 previous_size, unexplored_edges, n, push_size_after_pull;
  double alpha;
  // Whether to push a new q of `size` entries with `edges` edges.
  __device__ __forceinline__ bool advance(i64 size, i64 edges) {
    bool is_growing = size > previous_size;
    previous_size = size;
    if (!is_growing || unexplored_edges < n) return true;
    if (push_size_after_pull >= 0) return size <= push_size_after_pull;
    unexplored_edges -= edges;
    return edges <= unexplored_edges / alpha;
  }
};

// The new entries of a level, as one warp collects them.
struct NextFrontier {
  const Epilogue& epilogue;
  const EdgeOffset* edge_offsets;  // differences are the numbers of edges of the entries
  List list;
  LevelCounts* counts;
  const Peers* peers;
  Entry* buffer;  // this warp's part of shared memory
  int size;       // of the buffer
  u64 edges;      // of this lane's entries

  __device__ __forceinline__ bool is_open(i64 i) const { return !(((volatile u32*)epilogue.visited_bits())[i >> 5] >> (i & 31) & 1); }
  __device__ __forceinline__ bool claim(i64 i) const {
    u32 bit = 1u << (i & 31);
    return !(atomicOr(&epilogue.visited_bits()[i >> 5], bit) & bit);
  }
  // Buffer the entries of the lanes with `has_entry`; all lanes of the warp must call this.
  __device__ __forceinline__ void add(bool has_entry, i64 key, Z value) {
    u32 lanes = ballot(has_entry);
    if (has_entry) buffer[size + __popc(lanes & lanes_below_mask())] = {(Index)key, value};
    size += __popc(lanes);
  }
  // Write the buffered entries to the list, from place `first` on, and run the epilogue for them.
  __device__ __forceinline__ void write(i64 first) {
    __syncwarp();
    for (int k = lane(); k < size; k += WARP) {
      Entry entry = buffer[k];
      list.keys[first + k] = entry.key;
      list.values[first + k] = entry.value;
      send_entry(peers, first + k, entry.key);
      edges += edge_offsets[entry.key + 1] - edge_offsets[entry.key];
      epilogue.write(entry.key, entry.value);
      epilogue.mark(entry.key);
    }
    __syncwarp();
  }
  // Make space for UNIT entries.
  __device__ __forceinline__ void reserve() {
    if (size <= BUFFER_SIZE - UNIT) return;
    i64 first = 0;
    if (lane() == 0) first = atomicAdd(&counts->size, (u64)size);
    write(from_lane(first, 0));
    size = 0;
  }
  // Write the rest at the end of a level, with one atomic addition per block; all threads of the block must call this.
  __device__ __forceinline__ void flush_block() {
    __shared__ u32 block_size;
    __shared__ u64 first, block_edges;
    if (threadIdx.x == 0) block_size = 0, block_edges = 0;
    __syncthreads();
    u32 offset = 0;
    if (lane() == 0 && size) offset = atomicAdd(&block_size, (u32)size);
    offset = from_lane(offset, 0);
    __syncthreads();
    if (threadIdx.x == 0 && block_size) first = atomicAdd(&counts->size, (u64)block_size);
    __syncthreads();
    write(first + offset);
    size = 0;
    edges = warp_sum(edges);
    if (lane() == 0 && edges) atomicAdd(&block_edges, edges);
    __syncthreads();
    if (threadIdx.x == 0 && block_edges) atomicAdd(&counts->edges, block_edges);
  }
};

// Push the edges of the `size` entries of q.
__device__ __forceinline__ void push(i64 size, const FrontierList& q, const Offset* row_offsets, const Index* columns, const A* a_values,
                                     const LongRows& long_rows, u32* arrived, NextFrontier& next) {
  i64 share = min((i64)WARP, (size + warps() - 1) / warps());  // entries of a warp: few entries are spread over all warps
  // Short rows; long rows are queued.
  for (i64 base = warp() * share; base < size; base += warps() * share) {
    i64 k = base + lane(), begin = 0, degree = 0, row = 0;
    if (lane() < share && k < size) row = q.key(k), begin = row_offsets[row], degree = row_offsets[row + 1] - begin;
    if (HAS_LONG_ROWS && degree >= UNIT) long_rows.add(k, degree), degree = 0;
    i64 end = inclusive_scan(degree), total = from_lane(end, WARP - 1);
    for (i64 t = lane(); t < round_up_to_warps(total); t += WARP) {
      int owner = 0;  // the lane whose row has edge t: the first with end > t
      for (int step = WARP / 2; step; step /= 2)
        if (from_lane(end, owner + step - 1) <= t) owner += step;
      i64 first_edge = from_lane(end - degree, owner), p = from_lane(begin, owner) + t - first_edge, owner_row = from_lane(row, owner);
      i64 column = t < total ? (i64)columns[p] : 0;
      bool is_first = t < total && next.is_open(column) && next.claim(column);
      next.add(is_first, column, is_first ? product(a_values, p, USES_U ? q.values[base + owner] : U(), owner_row, column) : Z());
      next.reserve();
    }
  }
  if (!HAS_LONG_ROWS) return;
  // Queued rows: each warp takes an equal number of consecutive units.
  grid_barrier(arrived);
  u64 queued = __ldcg(long_rows.counts);
  i64 queue_size = queued >> 32, units = (u32)queued, unit_share = (units + warps() - 1) / warps();
  i64 unit = warp() * unit_share, end_unit = min(units, unit + unit_share), r = 0;
  for (i64 after = queue_size; r + 1 < after && unit < end_unit;) {  // the queued row of the first unit
    i64 middle = (r + after) / 2;
    __ldcg(long_rows.first_units + middle) <= unit ? r = middle : after = middle;
  }
  for (; unit < end_unit; r++) {
    i64 k = __ldcg(long_rows.entries + r), row = q.key(k), begin = row_offsets[row], end = row_offsets[row + 1];
    i64 first_unit = __ldcg(long_rows.first_units + r), row_end_unit = min(end_unit, r + 1 < queue_size ? (i64)__ldcg(long_rows.first_units + r + 1) : units);
    for (; unit < row_end_unit; unit++) {
      i64 column[EDGES_PER_LANE], p = begin + (unit - first_unit) * UNIT + lane();
      bool is_first[EDGES_PER_LANE];
#pragma unroll
      for (int t = 0; t < EDGES_PER_LANE; t++) column[t] = p + t * WARP < end ? (i64)columns[p + t * WARP] : -1;
#pragma unroll
      for (int t = 0; t < EDGES_PER_LANE; t++) is_first[t] = column[t] >= 0 && next.is_open(column[t]);
#pragma unroll
      for (int t = 0; t < EDGES_PER_LANE; t++) is_first[t] = is_first[t] && next.claim(column[t]);
#pragma unroll
      for (int t = 0; t < EDGES_PER_LANE; t++)
        next.add(is_first[t], column[t], is_first[t] ? product(a_values, p + t * WARP, USES_U ? q.values[k] : U(), row, column[t]) : Z());
      next.reserve();
    }
  }
}

// Odd levels, counted from 1, write q to list 1 and even ones to list 0. Bit k of depth_writers: the scalar of writer k is
// the depth, which grows by one before each level. host_frontier gets the size of the last q and the number of levels,
// host_state the number of explored edges and PUSH_NEXT or 0.
//
// With peers, q is the list of all devices, and the part of this device is written to list 1. The levels have the numbers
// first_level + 1, and so on; the size and the edges that the host gets are sums over all devices. A launch for one level does
// not wait for the other devices and leaves the decision to the host, which gets the numbers of this device's part. A launch
// also ends if a part exceeds the capacity of a segment; host_state then gets IS_CUT_OFF, too. If a device does not end a
// level in time, the number of levels is 0.
extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    traversal_push(const u64* frontier_size, const Index* frontier_keys, const U* frontier_values, const Offset* row_offsets, const EdgeOffset* edge_offsets,
                   const Index* columns, const A* a_values, i64* long_row_buffer, i64 max_long_rows, State* state, Index* keys0, Z* list_values0, u64* size0, Index* keys1,
                   Z* list_values1, u64* size1, i64 max_levels, i64 previous_size, i64 unexplored_edges, i64 n, i64 push_size_after_pull,
                   f64 alpha, i32 depth_writers, u64* host_frontier, u64* host_state, const Peers* peers, i64 first_level,
                   Writer0::C* values0, u32* bits0, Writer0::S scalar0, Writer1::C* values1, u32* bits1, Writer1::S scalar1) {
  static_assert(sizeof(State) <= 8 * STATE_WORDS, "the launcher allocates STATE_WORDS words");
  SHARED_ARRAY(Entry, buffers);
  Epilogue epilogue = {values0, bits0, scalar0, values1, bits1, scalar1};
  PushPullState push_pull = {previous_size, unexplored_edges, n, push_size_after_pull, alpha};
  FrontierList q = {frontier_size, frontier_keys, frontier_values, peers};
  i64 size = q.size(), levels = 0;
  for (bool go_on = true; go_on;) {
    LevelCounts *counts = &state->counts[levels % 3], *next_counts = &state->counts[(levels + 1) % 3];
    if (thread() == 0) *next_counts = {0, 0, 0};
    if (depth_writers & 1) epilogue.scalar0 = epilogue.scalar0 + 1;
    if (depth_writers & 2) epilogue.scalar1 = epilogue.scalar1 + 1;
    List out = !PEERS && levels % 2 ? List{keys0, list_values0, size0} : List{keys1, list_values1, size1};
    NextFrontier next = {epilogue, edge_offsets, out, counts, peers, buffers + threadIdx.x / WARP * BUFFER_SIZE, 0, 0};
    push(size, q, row_offsets, columns, a_values, {long_row_buffer, long_row_buffer + max_long_rows, &counts->long_rows}, &state->arrived, next);
    next.flush_block();
    finish_sending();
    grid_barrier(&state->arrived);
    levels++;
    i64 own_size = __ldcg(&counts->size), edges = __ldcg(&counts->edges), own_edges = edges;
    bool is_cut_off = false;
    size = own_size;
    if (PEERS) {
      if (thread() == 0) send_size(peers, own_size);
      if (max_levels > 1) {
        if (thread() == 0) {
          i64 total = own_size, total_edges = own_edges, largest;
          bool all_ended = sum_over_devices(peers, first_level + levels, total, total_edges, largest);
          state->size = all_ended ? total : -1, state->edges = total_edges, state->largest = largest;
        }
        grid_barrier(&state->arrived);
        size = __ldcg(&state->size), edges = __ldcg(&state->edges), is_cut_off = __ldcg(&state->largest) > peers->capacity;
      }
      peers = peers->next();
    }
    q = {out.size, out.keys, (const U*)out.values, peers};
    bool push_next = size <= 0 || push_pull.advance(size, edges);
    go_on = size > 0 && push_next && levels < max_levels && !is_cut_off;
    if (go_on || thread()) continue;
    *out.size = own_size;
    if (host_frontier) publish(host_frontier, size, size < 0 ? 0 : levels);
    bool is_one_of_peers = PEERS && max_levels == 1;
    if (host_state) publish(host_state, is_one_of_peers ? own_edges : unexplored_edges - push_pull.unexplored_edges, push_next * PUSH_NEXT | is_cut_off * IS_CUT_OFF);
  }
}
