// Levels of a breadth-first search by push:  for v in frontier, u in out(v):  claim u, parent(u) = v.
//
// Work split: a warp takes up to 32 pieces of frontier rows (Batch) and distributes their edges over its lanes by a prefix sum.
// If there are fewer pieces than warps, a team of warps takes the same pieces.
// Conflicts: u is claimed by its visited bit (atomicOr); the thread that sets the bit writes the tree.
// Memory: for each edge its column and the visited bit of u; for each new vertex its tree node and its row's offsets.
// Variants: push queues the rows of the new vertices. push_unqueued does not, as the next level is expected to be a pull, and
// reads the visited bit before it claims, as most claims of a large level would fail. queue_frontier_rows queues afterwards.
#include "bfs.cuh"

// Up to 32 consecutive pieces of the queue, one per lane, with their edges numbered from 0 on.
struct Batch {
  i64 entry_shift;  // entry of an edge minus its number in the batch
  Vertex v;
  int end, edges;  // number after the lane's last edge; number of all edges
  bool has_many_pieces;
  __device__ __forceinline__ Batch(const Piece* queue, i64 base, i64 size, u32 share) {
    bool has_piece = (u32)lane() < share && base + lane() < size;
    u64 begin = has_piece ? __ldcg(&queue[base + lane()].begin) : 0;
    u64 vertex_and_count = has_piece ? __ldcg(&queue[base + lane()].vertex_and_count) : 0;
    int count = (u32)vertex_and_count;
    end = warp_scan(count), edges = from_lane(end, WARP - 1), v = vertex_and_count >> 32;
    entry_shift = (i64)begin - (end - count), has_many_pieces = share > 1;
  }
  // The entry of edge e, and its row's vertex.
  __device__ __forceinline__ i64 entry(int e, Vertex& row_vertex) const {
    int owner = has_many_pieces ? owner_lane(end, e) : 0;
    row_vertex = from_lane(v, owner);
    return from_lane(entry_shift, owner) + e;
  }
};

// The number of pieces that a warp takes at once: few enough that all warps have work.
__device__ __forceinline__ u32 pieces_per_warp(i64 size, u32 warps) { return size >= (i64)WARP * warps ? WARP : ((u32)size + warps - 1) / warps; }

// Expand the queue of this level by `warps` warps, of which this is number `warp_number`, and queue the new vertices' rows. The
// offsets of u's row are loaded before the claim, so that both loads are in flight together.
__device__ __noinline__ ThreadCounts push(u32 warp_number, u32 warps) {
  AppendBuffer<Piece> buffer(search.append_buffer(), &search.counts(1)->queued_pieces, search.queue(1), search.queue_capacity);
  const TreeLevel tree = search.next_tree_level();
  const Rows out = search.out;
  ThreadCounts counts = {0, 0};
  const Piece* queue = search.queue(0);
  u32* visited = search.visited();
  i64 size = search.progress.frontier_pieces;
  u32 share = pieces_per_warp(size, warps), team = 1;
  while (team < PIECE / WARP && 2 * team * size <= warps) team *= 2;
  u32 rank_in_team = warp_number % team;
#pragma unroll 1
  for (i64 base = warp_number / team * share, step = warps / team * share; base < size; base += step) {
    const Batch batch(queue, base, size, share);
#pragma unroll 1
    for (u32 first = rank_in_team * WARP; first < batch.edges; first += team * WARP) {
      int e = first + lane();
      Vertex v;
      i64 p = batch.entry(e, v), begin = 0, end = 0;
      Vertex u = e < batch.edges ? out.column(p) : 0;
      if (e < batch.edges) begin = out.begin(u), end = out.end(u);
      bool is_new = e < batch.edges && claim(visited, u);
      if (is_new) {
        tree.record(u, v);
        counts.vertices++;
        counts.edges += end - begin + out.host_end(u) - out.host_begin(u);
      }
      queue_range(buffer, is_new, u, begin, end);
      if (HAS_HOST_ROWS) queue_range(buffer, is_new, u, is_new ? out.host_begin(u) : 0, is_new ? out.host_end(u) : 0);
    }
  }
  buffer.flush_block();
  return counts;
}

enum {
  SAMPLE = 16,                 // push_unqueued counts the edges of one vertex in so many, and of more vertices in a small level
  EDGES_IN_FLIGHT = 4,         // of a lane
  CACHED_EDGES = HUB_WORDS / 8  // edges per block from which hubs' visited bits are copied to shared memory
};

// Claim v, and update the block's copy of the visited bits, so that the block's next reads see what other blocks claimed.
__device__ __forceinline__ bool claim_and_cache(const Visited& visited, Vertex v) {
  u32 bit = 1u << (v & 31), w = v >> 5, word = atomicOr(&visited.bits[w], bit);
  if (w < visited.hub_words) atomicOr(&visited.hub_bits[w], word | bit);
  return !(word & bit);
}

// As push, by all warps, without queueing; the returned number of edges is an estimate. A team is as large as the mean number of
// edges of a piece requires.
__device__ __noinline__ ThreadCounts push_unqueued() {
  const TreeLevel tree = search.next_tree_level();
  const Rows out = search.out;
  ThreadCounts counts = {0, 0};
  const Piece* queue = search.queue(0);
  const bool uses_cache = search.progress.frontier_edges > (i64)CACHED_EDGES * gridDim.x;
  if (uses_cache) cache_hubs();
  const Visited visited = uses_cache ? visited_with_hubs() : visited_without_hubs();
  const u32 sample = uses_cache ? SAMPLE : SAMPLE / 4;
  i64 size = search.progress.frontier_pieces;
  const u32 STEP = EDGES_IN_FLIGHT * WARP;
  u32 team = 1;
  while (team < PIECE / STEP && 2 * team <= warps() && size < 8 * warps() &&
         2 * team * size * STEP <= search.progress.frontier_edges * WARP)
    team *= 2;
  const u32 teams = warps() / team;
  const i64 warp_number = block_interleaved_thread() / WARP;
  u32 share = pieces_per_warp(size, teams), rank_in_team = warp_number % team;
#pragma unroll 1
  for (i64 base = warp_number / team * share; base < size; base += teams * share) {
    const Batch batch(queue, base, size, share);
#pragma unroll 1
    for (u32 first = rank_in_team * STEP; first < batch.edges; first += team * STEP) {
      Vertex v[EDGES_IN_FLIGHT], u[EDGES_IN_FLIGHT];
      bool is_new[EDGES_IN_FLIGHT];
#pragma unroll
      for (int k = 0; k < EDGES_IN_FLIGHT; k++) {
        int e = first + k * WARP + lane();
        i64 p = batch.entry(e, v[k]);
        is_new[k] = e < batch.edges;
        u[k] = is_new[k] ? out.column(p) : 0;
      }
#pragma unroll
      for (int k = 0; k < EDGES_IN_FLIGHT; k++) is_new[k] = is_new[k] && !visited.contains(u[k]);
#pragma unroll
      for (int k = 0; k < EDGES_IN_FLIGHT; k++) is_new[k] = is_new[k] && claim_and_cache(visited, u[k]);
#pragma unroll
      for (int k = 0; k < EDGES_IN_FLIGHT; k++) {
        if (!is_new[k]) continue;
        tree.record(u[k], v[k]);
        counts.vertices++;
        if ((u[k] & (sample - 1)) == 0) counts.edges += sample * out.degree(u[k]);
      }
    }
  }
  return counts;
}

// Queue the rows of the vertices that the last level found without queueing them, and count their edges. A lane takes a word of
// 32 visited bits. After a pull the new bits are those not set in the other copy; after a push the tree has the level.
__device__ __noinline__ ThreadCounts queue_frontier_rows(bool after_push) {
  AppendBuffer<Piece> buffer(search.append_buffer(), &search.counts(0)->queued_pieces, search.queue(0), search.queue_capacity);
  ThreadCounts counts = {0, 0};
  const u32 *visited = search.visited(), *previous = search.other_visited();
  const TreeLevel tree = search.tree_level(search.progress.level);
#pragma unroll 1
  for (i64 w = thread(); w < round_up_to_warps(search.num_words()); w += threads()) {
    u32 candidates = w < search.num_words() ? __ldcg(&visited[w]) & (after_push ? ~0u : ~__ldcg(&previous[w])) : 0;
#pragma unroll 1
    for (; ballot(candidates); candidates &= candidates - 1) {
      Vertex v = w * 32 + __ffs(candidates) - 1;
      bool is_new = candidates && (!after_push || (v < search.n && tree.contains(v)));
      if (is_new) counts.edges += search.out.degree(v);
      queue_row(buffer, is_new, v);
    }
  }
  buffer.flush_block();
  return counts;
}
