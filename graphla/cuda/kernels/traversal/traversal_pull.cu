// Levels of a traversal by pull:  q<~visited, replace> = A q, with the epilogue for each entry of the new q
// (traversal_epilogue.cuh); for monoids where any value will do.
//
// The kernel runs up to `max_levels` levels in one cooperative launch, until q is empty, or shrinks to at most
// `push_size_shrinking` entries (execution/push_pull.py). q starts as a list or a bitmap, alternates between two bitmaps,
// and is listed at the end if a list is given.
// Work split: a warp takes the rows of WORDS words of the visited bits and lists the unvisited ones that have edges. Hub
// neighbors (hub_neighbors.cu) decide most of them: they are looked up first, BATCH rows per lane at a time. The rows
// that are left are read up to their first entry in q, a lane per row (early_exit_row.cuh).
// Conflicts: none; each row, and each word of bits, is written by one warp. Grid barriers separate the levels.
// Memory: for each level reads the visited bits of all rows, hub neighbors and rows of the unvisited ones; writes q, its
// bits, and the writers' values of new entries at the end of a word. In a group of GROUP rows with none but new entries,
// the values of all rows are written, since partial writes of a memory sector cost several times more than full ones.
// Source: Beamer, Asanovic, Patterson, SC 2012 (direction-optimizing search).
// Defined before: WORDS, BLOCK, STATE_WORDS; what traversal_epilogue.cuh, traversal_peers.cuh and spmv_multiply.cuh need.
#include "early_exit_row.cuh"
#include "traversal_peers.cuh"
#include "traversal_epilogue.cuh"
#include "host_result.cuh"
#include "grid.cuh"
#include "bitmap_to_list.cuh"
enum { ROWS = 32 * WORDS, BATCH = 4, GROUP = 8 };

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

// A warp's rows in shared memory, numbered 0..ROWS-1: a list of those to be looked at, and which have been reached.
struct WarpRows {
  Z value[ROWS];
  u16 open[ROWS];
  u8 reached[ROWS];

  // List the rows whose bits are set in `words`; returns their number. No row has been reached yet.
  __device__ __forceinline__ int list(const u32 (&words)[WORDS]) {
    for (int row = lane(); row < ROWS; row += WARP) reached[row] = 0;
    int size = 0;
#pragma unroll
    for (int k = 0; k < WORDS; k++)
      for (int bit = lane(); bit < 32; bit += WARP) size = append(words[k] >> bit & 1, k * 32 + bit, size);  // one pass if WARP is 32
    __syncwarp();
    return size;
  }
  // Append the lanes' rows with `is_listed` to the list of `size` rows; returns the new size.
  __device__ __forceinline__ int append(bool is_listed, int row, int size) {
    u32 lanes = ballot(is_listed);
    if (is_listed) open[size + __popc(lanes & lanes_below_mask())] = row;
    return size + __popc(lanes);
  }
  __device__ __forceinline__ void reach(int row, Z z) { value[row] = z, reached[row] = 1; }
  // Write the new entries of word k, whose first row is first_row; returns their bits. `empty_bits`: rows that have had no
  // entry in any output, whose values may be overwritten.
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
  static_assert(sizeof(State) <= 8 * STATE_WORDS && sizeof(WarpRows) == ROWS * (sizeof(Z) + 3), "the launcher allocates these");
  SHARED_ARRAY(u64, shared);
  __shared__ u32 block_size;  // new entries of this block
  __shared__ i64 levels, last_size;
  FrontierList frontier = {frontier_size, frontier_keys, frontier_values, peers};
  if (frontier.exists())
    list_to_bitmap(PEERS ? peers->nvertices : n, frontier, (U*)q0_values, PEERS ? peers->bits : q0_bits, &state->arrived);
  if (threadIdx.x == 0) levels = 0, last_size = previous_size;
  for (bool go_on = true; go_on;) {
    if (threadIdx.x == 0) block_size = 0, levels++;
    __syncthreads();
    bool is_odd = PEERS || levels & 1;
    Epilogue epilogue = {values0, bits0, depth_writers & 1 ? (Writer0::S)(scalar0 + levels) : scalar0,
                         values1, bits1, depth_writers & 2 ? (Writer1::S)(scalar1 + levels) : scalar1};
    const U* u_values = (const U*)(is_odd ? q0_values : q1_values);
    Z* q_values = is_odd ? q1_values : q0_values;
    u32 *u_bits = PEERS ? peers->bits : is_odd ? q0_bits : q1_bits, *q_bits = is_odd ? q1_bits : q0_bits;
    WarpRows& rows = ((WarpRows*)shared)[threadIdx.x / WARP];
    u32 lane_size = 0;
    i64 words = (n + 31) / 32, stride = warps() * WORDS;
    u32 next_visited[WORDS];  // loaded one iteration ahead
    auto load_next = [&](i64 first) {
#pragma unroll
      for (int k = 0; k < WORDS; k++) next_visited[k] = first + k < words ? epilogue.visited_bits()[first + k] : ~0u;
    };
    load_next(warp() * WORDS);
    for (i64 first = warp() * WORDS; first < words; first += stride) {
      u32 visited[WORDS], open[WORDS];
#pragma unroll
      for (int k = 0; k < WORDS; k++)
        visited[k] = next_visited[k], open[k] = first + k < words ? has_edges_bits[first + k] & ~visited[k] : 0;
      load_next(first + stride);
      // 1. List the unvisited rows. Look up their hub neighbors in q; list the rows that this does not reach again, from
      // the front of the list.
      int nopen = rows.list(open), nleft = hub_neighbors ? 0 : nopen;
      for (int i = lane(); hub_neighbors && i - lane() < nopen; i += BATCH * WARP) {
        int row[BATCH];
        Index hub[BATCH];
        bool is_in_q[BATCH];
#pragma unroll
        for (int k = 0; k < BATCH; k++) row[k] = i + k * WARP < nopen ? rows.open[i + k * WARP] : -1;
        __syncwarp();  // the list is overwritten below
#pragma unroll
        for (int k = 0; k < BATCH; k++) hub[k] = row[k] >= 0 ? hub_neighbors[first * 32 + row[k]] : (Index)-1;
#pragma unroll
        for (int k = 0; k < BATCH; k++) is_in_q[k] = is_index(hub[k]) && has(u_bits, hub[k]);
#pragma unroll
        for (int k = 0; k < BATCH; k++) {
          if (is_in_q[k]) rows.reach(row[k], product(a_values, 0, USES_U ? u_values[hub[k]] : U(), first * 32 + row[k], hub[k]));
          nleft = rows.append(is_index(hub[k]) && !is_in_q[k], row[k], nleft);
        }
      }
      // 2. Read the listed rows up to their first entry in q.
      __syncwarp();
      for (int i = lane(); i - lane() < nleft; i += WARP) {
        int row = i < nleft ? rows.open[i] : 0;
        i64 v = first * 32 + row;
        bool has_value = false;
        Z z = Add::identity();
        sum_row(has_value, z, v, i < nleft ? row_offsets[v] : 0, i < nleft ? row_offsets[v + 1] : 0, columns, a_values, u_values, u_bits);
        if (has_value) rows.reach(row, z);
      }
      // 3. Write the rows that have been reached.
      __syncwarp();
#pragma unroll
      for (int k = 0; k < WORDS; k++) {
        i64 w = first + k;
        if (w >= words) break;
        u32 new_bits = nopen ? rows.write(k, w * 32, n - w * 32 < 32 ? 0 : ~(visited[k] | epilogue.other_word(w)), epilogue, q_values) : 0;
        __syncwarp();  // all lanes have read the bits that are written now
        if (lane() != k % WARP) continue;
        q_bits[w] = new_bits;
        epilogue.mark_word(w, new_bits);
        lane_size += __popc(new_bits);
      }
      __syncwarp();
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
    if (!PEERS && out_keys && size) append_bitmap_entries((n + 31) / 32, q_bits, q_values, out_keys, out_values, out_size);
    if (thread()) continue;
    if (host_frontier) publish(host_frontier, size, size < 0 ? 0 : levels);
    if (host_state) publish(host_state, (i64)0, push_next * PUSH_NEXT);
  }
}
