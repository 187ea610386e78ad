// Levels of a traversal by pull:  q<~visited, replace> = A q, with the epilogue for each entry of the new q
// (traversal_epilogue.cuh); for monoids where any value will do.
//
// The kernel runs up to `max_levels` levels in one cooperative launch, until q is empty, or shrinks to at most
// `push_size_shrinking` entries (execution/push_pull.py). q starts as a list or a bitmap, alternates between two bitmaps,
// and is listed at the end if a list is given.
// Work split: a warp takes up to WARP words of the visited bits. It looks up the hub neighbors (hub_neighbors.cu) of their
// unvisited rows, BATCH rows per lane at a time; if these rows are few, by a list of them, which fills the lanes. This decides most
// rows, and all with a single column, which is the hub neighbor. The rows that are left, of all words, are listed and read up to
// their first entry in q, a lane per row (early_exit_row.cuh). A warp waits for memory most of the time: few long lists cost less
// than many short ones. Where the first frontier is small, most columns that are looked up are not in it: a look-up in a filter in
// shared memory finds this in less time than one of the bits.
// Conflicts: none; each row, and each word of bits, is written by one warp. Grid barriers separate the levels.
// Memory: for each level reads the visited bits of all rows, hub neighbors and rows of the unvisited ones; writes the bits of q,
// and the writers' values of new entries. If the look-up of words reaches a row of an aligned group of GROUP rows, and none of them
// has an entry in an output, all rows of the group are written (nothing reads what the others get), since partial writes of a
// memory sector cost several times more than full ones. If no level reads values of q and they can be found later (Q_VALUES), a
// launch of several levels writes them after the last one: levels that find 25 and 8 M of 67 M vertices and their parents take
// 0.51 and 0.30 ms, else 0.64 and 0.44 (H200).
// Source: Beamer, Asanovic, Patterson, SC 2012 (direction-optimizing search).
// Defined before: Q_VALUES, LIST_BYTES, BLOCK, STATE_WORDS; what traversal_epilogue.cuh, traversal_peers.cuh and
// spmv_multiply.cuh need.
#include "early_exit_row.cuh"
#include "traversal_peers.cuh"
#include "traversal_epilogue.cuh"
#include "host_result.cuh"
#include "grid.cuh"
#include "bitmap_to_list.cuh"
enum { BATCH = 4, GROUP = 8, MIN_WORDS = BATCH < WARP ? BATCH : WARP };
enum { WRITTEN_AT_ONCE, OF_VISITED, CONSTANT };  // Q_VALUES: how the values of q are found after the last level
enum { FEW = 8 };  // unvisited rows a word, on average, up to which they are listed before the first lookup

// State of the grid in global memory, 0 before the launch.
struct State {
  u32 arrived, unused;
  u64 sizes[3];  // of q after this level, the next and the previous one, in turn
  i64 total;     // the size on all devices; negative if one of them has not ended the level
};

// Convert a list to a bitmap of n positions; all threads of the grid must call this.
__device__ __forceinline__ void list_to_bitmap(i64 n, const FrontierList& list, U* values, u32* bits, u32* arrived) {
  for (i64 w = thread(); w < (n + 31) / 32; w += threads()) bits[w] = 0;
  grid_barrier(arrived);
  for (i64 k = thread(), size = list.size(); k < size; k += threads()) {
    i64 i = list.key(k);
    if (USES_U) values[i] = list.values[k];
    set(bits, i);
  }
  grid_barrier(arrived);
}

// The bits of a frontier. If it is filtered, bit k of the filter, in shared memory, is set if any of the 2^shift bits from
// k << shift on is set.
struct FrontierBits {
  const u32* bits;
  const u32* filter;
  bool is_filtered;
  int shift;
};
__device__ __forceinline__ u32 word(const FrontierBits& q, i64 i) { return q.is_filtered && !has(q.filter, i >> q.shift) ? 0 : word(q.bits, i); }
__device__ __forceinline__ bool has(const FrontierBits& q, i64 i) { return word(q, i) >> (i & 31) & 1; }

// Make the filter of a list, of n positions; returns the shift. All threads of the block must call this.
__device__ __forceinline__ int make_filter(i64 n, const FrontierList& list, u32* filter, i64 filter_words) {
  int shift = 0;
  while ((n - 1) >> shift >= 32 * filter_words) shift++;
  for (i64 w = threadIdx.x; w < filter_words; w += blockDim.x) filter[w] = 0;
  __syncthreads();
  for (i64 k = threadIdx.x, size = list.size(); k < size; k += blockDim.x) set(filter, list.key(k) >> shift);
  __syncthreads();
  return shift;
}

// Write the values of the entries of q: those of the visited set, or a constant.
__device__ __forceinline__ void write_values(i64 words, const u32* q_bits, Z* q_values, const Epilogue& epilogue) {
  for (i64 w = thread(); w < words; w += threads())
    for (u32 remaining = q_bits[w]; remaining; remaining &= remaining - 1) {
      i64 i = w * 32 + __ffs(remaining) - 1;
      q_values[i] = Q_VALUES == OF_VISITED ? (Z)epilogue.visited_value(i) : product((const A*)0, 0, U(), 0, 0);
    }
}

// A warp's rows in shared memory, numbered from the first of its words.
struct WarpRows {
  u16 open[32 * WARP];  // a list of those to be looked at
  u32 new_bits[WARP];   // of the words
  u32 longer[WARP];     // rows with other columns than their hub neighbor

  // List the rows whose bits are set in the lanes' words. `end`: the number of those of this lane and before.
  __device__ __forceinline__ void list(u32 word, int end) {
    int place = end - __popc(word);
    for (u32 remaining = word; remaining; remaining &= remaining - 1) open[place++] = lane() * 32 + __ffs(remaining) - 1;
    __syncwarp();
  }
  // Append the lanes' rows with `is_listed` to the list of `size` rows; returns the new size.
  __device__ __forceinline__ int append(bool is_listed, int row, int size) {
    u32 lanes = ballot(is_listed);
    if (is_listed) open[size + __popc(lanes & lanes_below_mask())] = row;
    return size + __popc(lanes);
  }
};

// What a level reads and writes.
struct Level {
  const Index* hub_neighbors;
  const Offset* row_offsets;
  const Index* columns;
  const A* a_values;
  const U* u_values;
  FrontierBits u_bits;
  Z* q_values;  // null if they are written after the last level
  u32* q_bits;
  const Peers* peers;
  const Epilogue& epilogue;

  // Pull the rows of this warp's words, from word `first` on, that are set in the lanes' words `open`; returns the number of
  // new entries of the lane's word. `longer`: the rows with other columns than their hub neighbor; `empty`: those with no entry
  // in any output, whose values may be overwritten.
  __device__ __forceinline__ u32 pull(WarpRows& rows, i64 first, u32 open, u32 longer, u32 empty, int warp_words, bool has_word) const {
    int end = warp_scan(__popc(open)), size = from_lane(end, WARP - 1);
    rows.new_bits[lane()] = 0, rows.longer[lane()] = longer;
    if (hub_neighbors && size > FEW * warp_words) {
      size = look_up_words(rows, first, open, empty, warp_words);
    } else {
      rows.list(open, end);
      if (hub_neighbors) size = look_up_list(rows, size, first * 32);
    }
    __syncwarp();
    read_list(rows, size, first * 32);
    u32 new_bits = rows.new_bits[lane()];
    __syncwarp();  // before the next list
    if (!has_word) return 0;
    q_bits[first + lane()] = new_bits;
    send_word(peers, first + lane(), new_bits);
    epilogue.mark_word(first + lane(), new_bits);
    return __popc(new_bits);
  }

  // Look up the hub neighbors of all rows that are set in the lanes' words; list the longer ones that this does not reach, and
  // return their number.
  __device__ __forceinline__ int look_up_words(WarpRows& rows, i64 first, u32 open, u32 empty, int warp_words) const {
    int nleft = 0;
    u32 new_bits = 0;  // of the lane's word
    __syncwarp();
    for (int first_row = lane(); first_row < 32 * warp_words; first_row += BATCH * WARP) {
      bool is_open[BATCH];
      Index hub[BATCH];
      u32 word_of_q[BATCH];
#pragma unroll
      for (int k = 0; k < BATCH; k++) {
        int row = first_row + k * WARP;
        is_open[k] = from_lane(open, row / 32) >> row % 32 & 1;
        hub[k] = is_open[k] ? hub_neighbors[first * 32 + row] : 0;
      }
      __syncwarp();  // keeps the loads together
#pragma unroll
      for (int k = 0; k < BATCH; k++) word_of_q[k] = is_open[k] ? word(u_bits, hub[k]) : 0;
      __syncwarp();
#pragma unroll
      for (int k = 0; k < BATCH; k++) {
        int row = first_row + k * WARP, w = row / 32;
        bool is_reached = word_of_q[k] >> (hub[k] & 31) & 1;
        u32 reached = ballot(is_reached) << (row % 32 - lane()), group = ((1u << GROUP) - 1) << (row % 32 / GROUP * GROUP);
        if (lane() == w % WARP) new_bits |= reached;
        u32 empty_rows = from_lane(empty, w);
        bool is_overwritten = WARP == 32 && (empty_rows & group) == group;
        if (reached & group && (is_reached || is_overwritten)) {
          Z z = is_reached ? value_of(first * 32 + row, hub[k]) : Add::identity();
          write(first * 32 + row, z);
        }
        nleft = rows.append(is_open[k] && !is_reached && has(rows.longer, row), row, nleft);
      }
    }
    rows.new_bits[lane()] = new_bits;
    return nleft;
  }

  // Look up the hub neighbors of the `size` listed rows, from row first_row on; list the longer ones that this does not reach in
  // their place, and return their number.
  __device__ __forceinline__ int look_up_list(WarpRows& rows, int size, i64 first_row) const {
    int nleft = 0;
    for (int i = lane(); i - lane() < size; i += BATCH * WARP) {
      int row[BATCH];
      Index hub[BATCH];
      u32 word_of_q[BATCH];
#pragma unroll
      for (int k = 0; k < BATCH; k++) row[k] = i + k * WARP < size ? rows.open[i + k * WARP] : -1;
      __syncwarp();  // the list is overwritten below
#pragma unroll
      for (int k = 0; k < BATCH; k++) hub[k] = row[k] >= 0 ? hub_neighbors[first_row + row[k]] : 0;
      __syncwarp();  // keeps the loads together
#pragma unroll
      for (int k = 0; k < BATCH; k++) word_of_q[k] = row[k] >= 0 ? word(u_bits, hub[k]) : 0;
      __syncwarp();
#pragma unroll
      for (int k = 0; k < BATCH; k++) {
        bool is_reached = word_of_q[k] >> (hub[k] & 31) & 1;
        if (is_reached) reach(rows, row[k], first_row, value_of(first_row + row[k], hub[k]));
        nleft = rows.append(row[k] >= 0 && !is_reached && has(rows.longer, row[k]), row[k], nleft);
      }
    }
    return nleft;
  }
  __device__ __forceinline__ void write(i64 row, Z z) const {
    if (Q_VALUES == WRITTEN_AT_ONCE || q_values) q_values[row] = z;
    epilogue.write(row, z);
  }
  __device__ __forceinline__ Z value_of(i64 row, Index hub) const { return product(a_values, 0, USES_U ? u_values[hub] : U(), row, hub); }

  // Read the `size` listed rows, from row first_row on, up to their first entry in q.
  __device__ __forceinline__ void read_list(WarpRows& rows, int size, i64 first_row) const {
    for (int i = lane(); i - lane() < size; i += WARP) {
      int row = i < size ? rows.open[i] : 0;
      i64 v = first_row + row;
      bool has_value = false;
      Z z = Add::identity();
      sum_row(has_value, z, v, i < size ? row_offsets[v] : 0, i < size ? row_offsets[v + 1] : 0, columns, a_values, u_values, u_bits);
      if (has_value) reach(rows, row, first_row, z);
    }
    __syncwarp();
  }

  // Write a new entry.
  __device__ __forceinline__ void reach(WarpRows& rows, int row, i64 first_row, Z z) const {
    write(first_row + row, z);
    atomicOr(&rows.new_bits[row / 32], 1u << row % 32);
  }
};

// q is in (q0_values, q0_bits) before odd levels and in (q1_values, q1_bits) before even ones, counted from 1. Bit k of
// depth_writers: the scalar of writer k is the depth, which grows by one before each level. host_frontier gets the size
// of the last q and the number of levels, host_state gets 0, and PUSH_NEXT or 0.
//
// With peers, q is read from their bits and written to (q1_values, q1_bits), this device's part. The levels have the numbers
// first_level + 1, and so on; the size is that of all devices. A launch for one level does not wait for the other devices: the
// size is that of this device's part, and the host decides.
// If a device does not end a level in time, the number of levels is 0.
extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    traversal_pull(i64 n, const Index* hub_neighbors, const u32* has_edges_bits, const u32* is_longer_bits, const Offset* row_offsets,
                   const Index* columns, const A* a_values, const u64* frontier_size, const Index* frontier_keys, const U* frontier_values,
                   i64 filter_words, Z* q0_values, u32* q0_bits, Z* q1_values, u32* q1_bits, State* state, i64 max_levels, i64 previous_size,
                   i64 push_size_shrinking, i32 depth_writers, Index* out_keys, Z* out_values, u64* out_size, u64* host_frontier,
                   u64* host_state, const Peers* peers, i64 first_level,
                   Writer0::C* values0, u32* bits0, Writer0::S scalar0, Writer1::C* values1, u32* bits1, Writer1::S scalar1) {
  static_assert(sizeof(State) <= 8 * STATE_WORDS && sizeof(WarpRows) <= LIST_BYTES * WARP, "the launcher allocates these");
  SHARED_ARRAY(u64, shared);
  __shared__ u32 block_size;  // new entries of this block
  __shared__ i64 levels, last_size;
  FrontierList frontier = {frontier_size, frontier_keys, frontier_values, peers};
  u32* filter = (u32*)((WarpRows*)shared + blockDim.x / WARP);
  bool is_filtered = frontier.exists() && filter_words;
  int shift = 0;
  if (frontier.exists()) {
    i64 positions = PEERS ? peers->nvertices : n;
    if (is_filtered) shift = make_filter(positions, frontier, filter, filter_words);
    list_to_bitmap(positions, frontier, (U*)q0_values, PEERS ? peers->bits : q0_bits, &state->arrived);
  }
  if (threadIdx.x == 0) levels = 0, last_size = previous_size;
  i64 words = (n + 31) / 32;
  int warp_words = WARP;  // fewer where not all warps had work
  bool values_follow = Q_VALUES != WRITTEN_AT_ONCE && max_levels > 1;  // the next level does not read them
  while (warp_words > MIN_WORDS && words < warps() * warp_words) warp_words /= 2;
  for (bool go_on = true; go_on;) {
    if (threadIdx.x == 0) block_size = 0, levels++;
    __syncthreads();
    bool is_odd = PEERS || levels & 1;
    Epilogue epilogue = {values0, bits0, depth_writers & 1 ? (Writer0::S)(scalar0 + levels) : scalar0,
                         values1, bits1, depth_writers & 2 ? (Writer1::S)(scalar1 + levels) : scalar1};
    u32 *u_bits = PEERS ? peers->bits : is_odd ? q0_bits : q1_bits, *q_bits = is_odd ? q1_bits : q0_bits;
    const U* u_values = (const U*)(is_odd ? q0_values : q1_values);
    Z* q_values = is_odd ? q1_values : q0_values;
    Z* written_values = values_follow ? 0 : q_values;
    FrontierBits u = {u_bits, filter, is_filtered && levels == 1, shift};
    Level level = {hub_neighbors, row_offsets, columns, a_values, u_values, u, written_values, q_bits, peers, epilogue};
    WarpRows& rows = ((WarpRows*)shared)[threadIdx.x / WARP];
    u32 lane_size = 0, next_visited, next_other, next_open, next_longer;  // loaded one iteration ahead
    auto load_next = [&](i64 first) {
      i64 w = first + lane();
      bool has_word = lane() < warp_words && w < words;
      next_visited = has_word ? epilogue.visited_bits()[w] : ~0u, next_open = has_word ? has_edges_bits[w] : 0;
      next_longer = has_word ? is_longer_bits[w] : 0;
      next_other = has_word && (w + 1) * 32 <= n ? epilogue.other_word(w) : ~0u;
    };
    load_next(warp() * warp_words);
    for (i64 first = warp() * warp_words; first < words; first += warps() * warp_words) {
      u32 visited = next_visited, empty = ~(visited | next_other), open = next_open & ~visited, longer = next_longer;
      load_next(first + warps() * warp_words);
      lane_size += level.pull(rows, first, open, longer, empty, warp_words, lane() < warp_words && first + lane() < words);
    }
    // Count the new frontier, over all blocks, and decide how to go on.
    lane_size = from_lane((u32)inclusive_scan(lane_size), WARP - 1);
    if (lane() == 0 && lane_size) atomicAdd(&block_size, lane_size);
    __syncthreads();
    int turn = levels % 3;
    if (threadIdx.x == 0 && block_size) atomicAdd(&state->sizes[turn], (u64)block_size);
    if (thread() == 0) state->sizes[(turn + 1) % 3] = 0;
    finish_sending();
    grid_barrier(&state->arrived);
    i64 own_size = __ldcg(&state->sizes[turn]), size = own_size;
    if (PEERS) {
      if (max_levels > 1) {
        if (thread() == 0) {
          i64 edges = 0, largest, total = own_size;
          state->total = sum_over_devices(peers, first_level + levels, total, edges, largest) ? total : -1;
        }
        grid_barrier(&state->arrived);
        size = __ldcg(&state->total);
      }
      peers = peers->next();
    }
    bool push_next = size <= last_size && size <= push_size_shrinking;
    go_on = size > 0 && !push_next && levels < max_levels;
    __syncthreads();
    if (threadIdx.x == 0) last_size = size;
    if (go_on) continue;
    if (values_follow && own_size) {  // a list of q, made next, reads them
      write_values(words, q_bits, q_values, epilogue);
      grid_barrier(&state->arrived);
    }
    if (!PEERS && out_keys && size) append_bitmap_entries(words, q_bits, q_values, out_keys, out_values, out_size);
    if (thread()) continue;
    if (host_frontier) publish(host_frontier, size, size < 0 ? 0 : levels);
    if (host_state) publish(host_state, (i64)0, push_next * PUSH_NEXT);
  }
}
