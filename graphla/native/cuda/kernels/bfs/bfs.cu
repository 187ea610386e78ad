// Direction-optimizing breadth-first search in one cooperative launch, a grid barrier after each level. With E the out-edges of
// the frontier and U those of the unvisited vertices:
//     push  for v in frontier, u in out(v), u unvisited:    parent(u) = v      (bfs_push.cuh)
//     pull  for v unvisited:  parent(v) = any visited u in in(v)               (bfs_pull.cuh, bfs_final_levels.cuh)
//     push -> pull if ALPHA E > U;  pull -> push if BETA |frontier| < |unvisited|
//
// Work split: by all blocks, but levels by push with at most ONE_BLOCK_EDGES edges by the first block alone, whose threads can
// synchronise faster than the grid. The other blocks wait at the next grid barrier.
// Conflicts: see bfs_push.cuh and bfs_pull.cuh.
// Memory: for each vertex a tree node (level and parent in one word), two copies of a visited bit and the queues of frontier rows.
// Source: A. Kolganov, 2018; S. Beamer, K. Asanovic, D. Patterson, SC 2012.
//
// Defined before: ALPHA, BETA; ONE_BLOCK_EDGES; UNQUEUED_EDGES, edges of a frontier from which a push does not queue what it finds;
// FINAL_THREADS, threads per unvisited vertex from which the final levels run; FINAL_EDGES (bfs_final_levels.cuh); CONTINUES,
// whether bfs_cluster.cu has run the first levels; what bfs.cuh needs.
#include "bfs_push.cuh"
#include "bfs_final_levels.cuh"
static_assert(THREAD_EDGES >= MIN_QUEUED_ROW, "the queue of row pieces would be too short");

// Visit the source and queue its row. Bits beyond the last vertex are set, so that they are never unvisited.
__device__ __forceinline__ void visit_source(Vertex source) {
  u32* visited = search.visited();
  for (int w = thread(); w < search.num_words(); w += threads()) {
    u32 bits_beyond_n = w == (search.n >> 5) ? ~0u << (search.n & 31) : 0;
    visited[w] = bits_beyond_n | (w == (source >> 5) ? 1u << (source & 31) : 0);
  }
  if (warp() == 0) {
    if (lane() == 0) {
      for (int k = 0; k < 4; k++) search.state->counts[k].clear();
      search.tree[source] = source;
    }
    __syncwarp();
    AppendBuffer<Piece> buffer(search.append_buffer(), &search.counts(0)->queued_pieces, search.queue(0), search.queue_capacity);
    queue_row(buffer, lane() == 0, source);
    buffer.flush_warp();
  }
  i64 pieces = barrier_and_read(&search.counts(0)->queued_pieces);
  if (threadIdx.x == 0) search.progress.frontier_edges = search.out.degree(source), search.progress.frontier_pieces = pieces;
  __syncthreads();
}

// Go to the next level: at once if the level left no unresolved pieces of rows, else after pass 3 of the pull.
__device__ __forceinline__ void advance(ThreadCounts counts, bool is_one_block, bool is_pull) {
  auto update = [&](const LevelTotals& totals) {
    search.progress.level++, search.common_levels += !is_one_block;
    search.progress.unvisited -= totals.found, search.progress.unvisited_edges -= totals.edges;
    search.progress.previous_edges = search.progress.frontier_edges;
    search.progress.frontier_size = totals.found, search.progress.frontier_edges = totals.edges;
    search.progress.frontier_pieces = totals.queued_pieces;
    if (is_pull) search.current_copy = 1 - search.current_copy;
  };
  end_level(search.counts(1), counts, is_one_block, [&](const LevelTotals& totals) {
    search.pieces_left = totals.unresolved_pieces;
    if (!totals.unresolved_pieces) update(totals);
  });
  if (search.pieces_left) end_level(search.counts(1), check_pieces(search.pieces_left), false, update);
}

// One level by push, by all blocks or by the first one alone.
__device__ __forceinline__ ThreadCounts push_level(bool is_one_block, bool is_unqueued) {
  if (is_unqueued) return push_unqueued();
  return push(is_one_block ? warp() : block_interleaved_thread() / WARP, is_one_block ? blockDim.x / WARP : warps());
}

// Whether the level after this push will be a pull, if the number of edges goes on growing by the same factor. Then nothing is
// queued.
__device__ __forceinline__ bool expects_pull() {
  double edges = search.progress.frontier_edges, next_edges = edges * edges / max(search.progress.previous_edges, (i64)1);
  return edges > UNQUEUED_EDGES || next_edges * ALPHA > search.progress.unvisited_edges;
}

// Queue the frontier after a level that did not, and replace the estimate of its edges by the exact number. The barrier comes
// first, as this adds to the counts of that level, which all blocks must have read.
__device__ __forceinline__ void queue_frontier(bool after_push) {
  grid_barrier(&search.state->arrived);
  i64 estimate = search.progress.frontier_edges;
  end_level(search.counts(0), queue_frontier_rows(after_push), false, [&](const LevelTotals& totals) {
    search.progress.frontier_edges = totals.edges - estimate, search.progress.frontier_pieces = totals.queued_pieces;
  });
}

// After levels by the first block alone: all blocks wait for it and copy its progress.
__device__ __forceinline__ void join_first_block() {
  if (thread() == 0) search.state->progress = search.progress;
  __syncthreads();
  if (threadIdx.x == 0) {
    wait_for_blocks(&search.state->arrived);
    for (int k = 0; k < sizeof(Progress) / 8; k++) ((u64*)&search.progress)[k] = __ldcg((u64*)&search.state->progress + k);
  }
  __syncthreads();
}

// Continue the search of bfs_cluster.cu, which queues nothing.
__device__ __forceinline__ void continue_cluster_search() {
  for (int k = threadIdx.x; k < sizeof(Progress) / 8; k += blockDim.x) ((u64*)&search.progress)[k] = __ldcg((u64*)&search.state->progress + k);
  if (thread() == 0)
    for (int k = 0; k < 4; k++) search.state->counts[k].clear();
  __syncthreads();
  if (search.progress.frontier_size && search.progress.unvisited) queue_frontier(true);
}

// Run levels to the end of the search. Returns whether each vertex with an edge has a tree node, which may be NONE.
__device__ __forceinline__ bool run_levels(bool is_push) {
  for (;;) {
    bool is_one_block = is_push && search.progress.frontier_edges <= ONE_BLOCK_EDGES;
    bool is_unqueued = is_push && !is_one_block && expects_pull();
    bool is_final = !is_push && search.progress.unvisited * FINAL_THREADS <= threads(), was_push = is_push;
    if (!is_one_block || blockIdx.x == 0) {
      if (threadIdx.x == 0) {
        search.is_one_block = is_one_block;
        if (blockIdx.x == 0) search.counts(is_one_block ? 1 : 2)->clear();
      }
      __syncthreads();
      if (is_final) run_final_levels();
      else advance(is_push ? push_level(is_one_block, is_unqueued) : pull(), is_one_block, !is_push);
      if (is_one_block && search.progress.frontier_size && search.progress.frontier_edges <= ONE_BLOCK_EDGES) continue;
    }
    if (is_one_block) join_first_block();
    if (!search.progress.frontier_size || !search.progress.unvisited) return is_final || !search.progress.unvisited;
    bool is_final_next = !is_final && search.progress.unvisited * FINAL_THREADS <= threads();
    is_push = is_push ? search.progress.frontier_edges * ALPHA <= search.progress.unvisited_edges
                      : !is_final_next && search.progress.frontier_size * BETA < search.progress.unvisited;
    if (is_push && (is_unqueued || !was_push)) queue_frontier(was_push);
    is_push = is_push && search.progress.frontier_pieces <= search.queue_capacity;
  }
}

// rank[source] < 0: the source is isolated. Entries of `tree` of vertices that are not reached become NONE.
extern "C" __global__ void __launch_bounds__(1024, 1)
    bfs(i64 n, i64 source, const i32* rank, const Offset* out_offsets, const u32* out_columns, const Offset* out_host_offsets,
        const u32* out_host_columns, i64 out_device_entries, const Offset* in_offsets, const u32* in_columns, const Offset* in_host_offsets,
        const u32* in_host_columns, i64 in_device_entries, const u64* first_two, u32* tree, u32* deep_levels, u32* visited_bits, Piece* queues,
        i64 queue_capacity, u32* unresolved, State* state, i64 num_edges, i64 level_shift) {
  SHARED_ARRAY(u32, shared);
  if (threadIdx.x == 0) {
    search.n = n, search.first_two = first_two, search.tree = tree, search.deep_levels = deep_levels, search.visited_bits = visited_bits;
    search.current_copy = 0, search.queues = queues, search.queue_capacity = queue_capacity;
    search.out = {out_offsets, out_columns, out_host_offsets, out_host_columns, out_device_entries};
    search.in = {in_offsets, in_columns, in_host_offsets, in_host_columns, in_device_entries};
    search.unresolved = unresolved, search.state = state, search.level_shift = level_shift;
    search.progress = {0, n - 1, num_edges, 1, 0, 0, 0}, search.common_levels = 0, search.is_one_block = false;
    search.hub_bits = shared, search.append_buffers = (Piece*)(shared + HUB_WORDS);
  }
  __syncthreads();
  i64 root = rank[source];
  if (root >= 0) {
#if CONTINUES
    continue_cluster_search();
    if (!search.progress.unvisited) return;
    if (search.progress.frontier_size && run_levels(search.progress.frontier_pieces <= search.queue_capacity)) return;
#else
    visit_source(root);
    if (run_levels(true)) return;
#endif
  }
  const u32* visited = search.visited();
#pragma unroll 1
  for (int w = thread(); w < search.num_words(); w += threads())
    for (u32 unvisited = root < 0 ? ~0u : ~__ldcg(&visited[w]); unvisited; unvisited &= unvisited - 1) {
      i64 v = (i64)w * 32 + __ffs(unvisited) - 1;
      if (v < n) tree[v] = NONE;
    }
}
