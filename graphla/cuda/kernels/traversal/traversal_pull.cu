// Levels of a traversal by pull:  q<~visited, replace> = A q, with the epilogue for each entry of the new q
// (traversal_epilogue.cuh); for monoids where any value will do.
//
// The kernel runs up to `max_levels` levels in one cooperative launch, until q is empty, or shrinks to at most
// `push_size_shrinking` entries (execution/push_pull.py). q starts as a list or a bitmap, alternates between two bitmaps,
// and is listed at the end if a list is given.
// Work split: a warp takes up to WARP words of the visited bits and lists the unvisited rows that have edges: all at once if
// they are few, else those of PART_WORDS words at a time. Hub neighbors (hub_neighbors.cu) decide most of them: they are
// looked up first, BATCH rows per lane at a time. The rows that are left are read up to their first entry in q, a lane per
// row (early_exit_row.cuh). Few rows listed together fill the lanes: of 67 M vertices with 7 to 8 M unvisited ones a level
// takes 196 us in place of 509 part by part, with 48,000 it takes 31 in place of 208 (H200).
// Conflicts: none; each row, and each word of bits, is written by one warp. Grid barriers separate the levels.
// Memory: for each level reads the visited bits of all rows, hub neighbors and rows of the unvisited ones; writes q, its
// bits, and the writers' values of new entries. Where many rows are unvisited, these are written a word at a time, and in a
// group of GROUP rows with none but new entries those of all rows, since partial writes of a memory sector cost several
// times more than full ones.
// Source: Beamer, Asanovic, Patterson, SC 2012 (direction-optimizing search).
// Defined before: WORDS, BLOCK, STATE_WORDS; what traversal_epilogue.cuh, traversal_peers.cuh and spmv_multiply.cuh need.
#include "early_exit_row.cuh"
#include "traversal_peers.cuh"
#include "traversal_epilogue.cuh"
#include "host_result.cuh"
#include "grid.cuh"
#include "bitmap_to_list.cuh"
enum { PART_WORDS = WORDS < WARP ? WORDS : WARP, ROWS = 32 * PART_WORDS, BATCH = 4, GROUP = 8 };
enum { FEW = 8 };  // unvisited rows a word, on average, up to which they are listed together

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

// A warp's rows in shared memory, numbered from the first of its words, or of a part of them.
struct WarpRows {
  Z value[ROWS];  // of those that are reached
  u16 open[FEW * WARP > ROWS ? FEW * WARP : ROWS];  // to be looked at
  u8 reached[ROWS];
  u32 new_bits[WARP];  // of few rows

  // List the rows of a part whose bits are set in `words`; returns their number. No row has been reached yet.
  __device__ __forceinline__ int list_part(const u32 (&words)[PART_WORDS]) {
    for (int row = lane(); row < ROWS; row += WARP) reached[row] = 0;
    int size = 0;
#pragma unroll
    for (int k = 0; k < PART_WORDS; k++)
      for (int bit = lane(); bit < 32; bit += WARP) size = append(words[k] >> bit & 1, k * 32 + bit, size);  // one pass if WARP is 32
    __syncwarp();
    return size;
  }
  // List the rows whose bits are set in the lanes' words, which are few. `end`: the number of those of this lane and before.
  __device__ __forceinline__ void list_few(u32 word, int end) {
    new_bits[lane()] = 0;
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
  __device__ __forceinline__ void reach(int row, Z z) { value[row] = z, reached[row] = 1; }
  // Write the new entries of word k of a part, whose first row is first_row; returns their bits. `empty_bits`: rows that have
  // had no entry in any output, whose values may be overwritten.
  __device__ __forceinline__ u32 write(int k, i64 first_row, u32 empty_bits, const Epilogue& epilogue, Z* q_values) const {
    u32 new_bits = 0;
    for (int bit = lane(); bit < 32; bit += WARP) {
      int row = k * 32 + bit;
      u32 reached_bits = ballot(reached[row]) << (bit - lane()), group = ((1u << GROUP) - 1) << (bit / GROUP * GROUP);
      new_bits |= reached_bits;
      if (reached_bits & group && (reached[row] || (WARP == 32 && (empty_bits & group) == group))) {
        Z z = value[reached[row] ? row : k * 32 + __ffs(reached_bits & group) - 1];
        q_values[first_row + bit] = z;
        epilogue.write(first_row + bit, z);
      }
    }
    return new_bits;
  }
};

// What a level reads and writes.
struct Level {
  i64 n;
  const Index* hub_neighbors;
  const Offset* row_offsets;
  const Index* columns;
  const A* a_values;
  const U* u_values;
  const u32* u_bits;
  Z* q_values;
  u32* q_bits;
  const Epilogue& epilogue;

  // Call reached(row, z) for each of the `nopen` listed rows that has an entry in q. Row 0 of the list is row first_row of A.
  template <class Reached> __device__ __forceinline__ void pull(WarpRows& rows, int nopen, i64 first_row, const Reached& reached) const {
    // 1. Look up the hub neighbors; list the rows that this does not reach again, from the front of the list.
    int nleft = hub_neighbors ? 0 : nopen;
    for (int i = lane(); hub_neighbors && i - lane() < nopen; i += BATCH * WARP) {
      int row[BATCH];
      Index hub[BATCH];
      bool is_in_q[BATCH];
#pragma unroll
      for (int k = 0; k < BATCH; k++) row[k] = i + k * WARP < nopen ? rows.open[i + k * WARP] : -1;
      __syncwarp();  // the list is overwritten below
#pragma unroll
      for (int k = 0; k < BATCH; k++) hub[k] = row[k] >= 0 ? hub_neighbors[first_row + row[k]] : (Index)-1;
#pragma unroll
      for (int k = 0; k < BATCH; k++) is_in_q[k] = is_index(hub[k]) && has(u_bits, hub[k]);
#pragma unroll
      for (int k = 0; k < BATCH; k++) {
        if (is_in_q[k]) reached(row[k], product(a_values, 0, USES_U ? u_values[hub[k]] : U(), first_row + row[k], hub[k]));
        nleft = rows.append(is_index(hub[k]) && !is_in_q[k], row[k], nleft);
      }
    }
    // 2. Read the listed rows up to their first entry in q.
    __syncwarp();
    for (int i = lane(); i - lane() < nleft; i += WARP) {
      int row = i < nleft ? rows.open[i] : 0;
      i64 v = first_row + row;
      bool has_value = false;
      Z z = Add::identity();
      sum_row(has_value, z, v, i < nleft ? row_offsets[v] : 0, i < nleft ? row_offsets[v + 1] : 0, columns, a_values, u_values, u_bits);
      if (has_value) reached(row, z);
    }
    __syncwarp();
  }

  // Pull the few unvisited rows of this warp's words, a word for each lane; returns the number of new entries of the lane.
  __device__ __forceinline__ u32 pull_few(WarpRows& rows, i64 first, u32 open, int end, bool has_word) const {
    rows.list_few(open, end);
    pull(rows, from_lane(end, WARP - 1), first * 32, [&](int row, Z z) {
      q_values[first * 32 + row] = z;
      epilogue.write(first * 32 + row, z);
      atomicOr(&rows.new_bits[row / 32], 1u << row % 32);
    });
    u32 new_bits = rows.new_bits[lane()];
    __syncwarp();  // before the next list
    if (!has_word) return 0;
    write_bits(first + lane(), new_bits);
    return __popc(new_bits);
  }

  // Pull the unvisited rows of a part of PART_WORDS words, from word `first` on; returns the number of new entries in the
  // words that this lane has written.
  __device__ __forceinline__ u32 pull_part(WarpRows& rows, i64 first, const u32 (&visited)[PART_WORDS], const u32 (&open)[PART_WORDS]) const {
    u32 size = 0;
    i64 words = (n + 31) / 32;
    int nopen = rows.list_part(open);
    pull(rows, nopen, first * 32, [&](int row, Z z) { rows.reach(row, z); });
#pragma unroll
    for (int k = 0; k < PART_WORDS; k++) {
      i64 w = first + k;
      if (w >= words) break;
      u32 new_bits = nopen ? rows.write(k, w * 32, n - w * 32 < 32 ? 0 : ~(visited[k] | epilogue.other_word(w)), epilogue, q_values) : 0;
      __syncwarp();  // all lanes have read the bits that are written now
      if (lane() != k % WARP) continue;
      write_bits(w, new_bits);
      size += __popc(new_bits);
    }
    __syncwarp();
    return size;
  }

  __device__ __forceinline__ void write_bits(i64 w, u32 new_bits) const {
    q_bits[w] = new_bits;
    epilogue.mark_word(w, new_bits);
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
    traversal_pull(i64 n, const Index* hub_neighbors, const u32* has_edges_bits, const Offset* row_offsets, const Index* columns, const A* a_values,
                   const u64* frontier_size, const Index* frontier_keys, const U* frontier_values, Z* q0_values, u32* q0_bits, Z* q1_values,
                   u32* q1_bits, State* state, i64 max_levels, i64 previous_size, i64 push_size_shrinking, i32 depth_writers, Index* out_keys,
                   Z* out_values, u64* out_size, u64* host_frontier, u64* host_state, const Peers* peers, i64 first_level,
                   Writer0::C* values0, u32* bits0, Writer0::S scalar0, Writer1::C* values1, u32* bits1, Writer1::S scalar1) {
  static_assert(sizeof(State) <= 8 * STATE_WORDS && sizeof(WarpRows) <= ROWS * (sizeof(Z) + 6), "the launcher allocates these");
  SHARED_ARRAY(u64, shared);
  __shared__ u32 block_size;  // new entries of this block
  __shared__ i64 levels, last_size;
  FrontierList frontier = {frontier_size, frontier_keys, frontier_values, peers};
  if (frontier.exists())
    list_to_bitmap(PEERS ? peers->nvertices : n, frontier, (U*)q0_values, PEERS ? peers->bits : q0_bits, &state->arrived);
  if (threadIdx.x == 0) levels = 0, last_size = previous_size;
  i64 words = (n + 31) / 32;
  int warp_words = WARP;  // fewer where not all warps had work
  while (warp_words > PART_WORDS && words < warps() * warp_words) warp_words /= 2;
  for (bool go_on = true; go_on;) {
    if (threadIdx.x == 0) block_size = 0, levels++;
    __syncthreads();
    bool is_odd = PEERS || levels & 1;
    Epilogue epilogue = {values0, bits0, depth_writers & 1 ? (Writer0::S)(scalar0 + levels) : scalar0,
                         values1, bits1, depth_writers & 2 ? (Writer1::S)(scalar1 + levels) : scalar1};
    u32 *u_bits = PEERS ? peers->bits : is_odd ? q0_bits : q1_bits, *q_bits = is_odd ? q1_bits : q0_bits;
    const U* u_values = (const U*)(is_odd ? q0_values : q1_values);
    Z* q_values = is_odd ? q1_values : q0_values;
    Level level = {n, hub_neighbors, row_offsets, columns, a_values, u_values, u_bits, q_values, q_bits, epilogue};
    WarpRows& rows = ((WarpRows*)shared)[threadIdx.x / WARP];
    u32 lane_size = 0, next_visited, next_open;  // loaded one iteration ahead
    auto load_next = [&](i64 first) {
      i64 w = first + lane();
      bool has_word = lane() < warp_words && w < words;
      next_visited = has_word ? epilogue.visited_bits()[w] : ~0u, next_open = has_word ? has_edges_bits[w] : 0;
    };
    load_next(warp() * warp_words);
    for (i64 first = warp() * warp_words; first < words; first += warps() * warp_words) {
      u32 visited = next_visited, open = next_open & ~visited;
      load_next(first + warps() * warp_words);
      int end = warp_scan(__popc(open));
      if (from_lane(end, WARP - 1) <= FEW * warp_words) {
        lane_size += level.pull_few(rows, first, open, end, lane() < warp_words && first + lane() < words);
        continue;
      }
      for (int part = 0; part < warp_words && first + part < words; part += PART_WORDS) {
        u32 part_visited[PART_WORDS], part_open[PART_WORDS];
#pragma unroll
        for (int k = 0; k < PART_WORDS; k++) part_visited[k] = from_lane(visited, part + k), part_open[k] = from_lane(open, part + k);
        lane_size += level.pull_part(rows, first + part, part_visited, part_open);
      }
    }
    // Count the new frontier, over all blocks, and decide how to go on.
    lane_size = from_lane((u32)inclusive_scan(lane_size), WARP - 1);
    if (lane() == 0 && lane_size) atomicAdd(&block_size, lane_size);
    __syncthreads();
    int turn = levels % 3;
    if (threadIdx.x == 0 && block_size) atomicAdd(&state->sizes[turn], (u64)block_size);
    if (thread() == 0) state->sizes[(turn + 1) % 3] = 0;
    grid_barrier(&state->arrived);
    i64 own_size = __ldcg(&state->sizes[turn]), size = own_size;
    if (PEERS) {
      send_bits(peers, words, q_bits);
      finish_sending();
      grid_barrier(&state->arrived);
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
    if (!PEERS && out_keys && size) append_bitmap_entries(words, q_bits, q_values, out_keys, out_values, out_size);
    if (thread()) continue;
    if (host_frontier) publish(host_frontier, size, size < 0 ? 0 : levels);
    if (host_state) publish(host_state, (i64)0, push_next * PUSH_NEXT);
  }
}
