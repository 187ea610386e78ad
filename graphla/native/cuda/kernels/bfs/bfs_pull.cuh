// One level of a breadth-first search by pull:  for unvisited v:  parent(v) = any visited u in in(v).
// Such a u is on the frontier: if it had been visited before the last level, v would be visited.
//
// Work split: three passes. (1) Lanes check the first two in-neighbours of the 32 vertices of a word of visited bits. (2) A thread
// checks the next THREAD_EDGES in-neighbours of a vertex that pass 1 leaves unresolved, and queues the rest of the row in pieces of
// PULL_PIECE. (3) A warp checks a piece.
// Conflicts: one copy of the visited bits is read, the other one written. Pass 1 writes whole words of it, one warp per word;
// passes 2 and 3 set bits by atomicOr. Several pieces of one row may find a parent in pass 3: the one that sets the bit writes it.
// Memory: pass 1 reads 8 bytes per unvisited vertex, adjacent in memory; hubs' visited bits are in shared memory.
// Source: S. Beamer, K. Asanovic, D. Patterson, SC 2012; A. Kolganov, 2018.
#include "bfs.cuh"

enum { BATCH = 4 };  // words of visited bits that a warp has in flight

// Pass 1. The second neighbour is checked if the first is not visited. The loop is pipelined: the visited words of the next batch
// are loaded during the checks of the first neighbours, and then the neighbours of the next batch. A vertex with one in-neighbour
// has it twice, one with none has itself twice; for visited vertices, and beyond the last one, both are NONE.
__device__ __noinline__ ThreadCounts check_first_two() {
  AppendBuffer<Vertex> unresolved(search.append_buffer(), &search.counts(1)->unresolved, in_global(search.unresolved), search.n);
  const TreeLevel tree = search.next_tree_level();
  const Visited visited = visited_with_hubs();
  const u64* first_two = in_global(search.first_two);
  const u32* read_copy = search.visited();
  u32* written_copy = search.other_visited();
  const int words = search.num_words(), stride = warps() * BATCH, start = warp() * BATCH;
  int found = 0;
  u32 next_words[BATCH];
  u64 next_pairs[BATCH];
  auto load_words = [&](int w) {
    const u32* batch = read_copy + w;
#pragma unroll
    for (int k = 0; k < BATCH; k++) next_words[k] = w + k < words ? __ldcg(&batch[k]) : ~0u;
  };
  for (u32 bit = lane(); bit < 32; bit += WARP) {  // one iteration if a warp has 32 lanes
    auto load_first_two = [&](int w) {
      const u64* batch = first_two + (i64)w * 32 + bit;
#pragma unroll
      for (int k = 0; k < BATCH; k++) next_pairs[k] = next_words[k] >> bit & 1 ? ~0ull : __ldcs(&batch[k * 32]);
    };
    load_words(start);
    load_first_two(start);
#pragma unroll 1
    for (int w = start; w < words; w += stride) {
      u32 old_word[BATCH];
      Vertex first[BATCH], second[BATCH], second_to_check[BATCH];
#pragma unroll
      for (int k = 0; k < BATCH; k++) old_word[k] = next_words[k], first[k] = (u32)next_pairs[k], second[k] = next_pairs[k] >> 32;
      load_words(w + stride);
      u32 first_hits = visited.which(first);
#pragma unroll
      for (int k = 0; k < BATCH; k++) {
        bool is_done = first_hits >> k & 1 || (first[k] | HAS_MORE) == (second[k] | HAS_MORE);
        second_to_check[k] = is_done ? NONE : second[k] & ~HAS_MORE;
      }
      u32 second_hits = visited.which(second_to_check);
#pragma unroll
      for (int k = 0; k < BATCH; k++) {
        i64 v = (i64)w * 32 + bit + k * 32;
        bool is_hit = (first_hits | second_hits) >> k & 1;
        if (is_hit) tree.record(v, second_hits >> k & 1 ? second_to_check[k] : first[k]);
        unresolved.add(!is_hit && first[k] != NONE && second[k] & HAS_MORE, (Vertex)v);
        u32 hit_lanes = ballot(is_hit), new_bits = WARP == 32 ? hit_lanes : hit_lanes << bit;
        found += __popc(hit_lanes);
        if (lane() == k % WARP && w + k < words) written_copy[w + k] = (bit < WARP ? old_word[k] : written_copy[w + k]) | new_bits;
      }
      load_first_two(w + stride);
      unresolved.reserve(BATCH);
    }
  }
  unresolved.flush_block();
  return {lane() == 0 ? found : 0u, 0};
}

// A visited vertex among the in-neighbours at entries begin..end-1, or NONE, by one thread.
__device__ __forceinline__ Vertex find_visited(const Visited& visited, i64 begin, i64 end) {
#pragma unroll 1
  for (i64 p = begin; p < end; p += 4) {
    Vertex u[4];
#pragma unroll
    for (int k = 0; k < 4; k++) u[k] = p + k < end ? search.in.column(p + k) : NONE;
    u32 hits = visited.which(u);
#pragma unroll
    for (int k = 0; k < 4; k++)
      if (hits >> k & 1) return u[k];
  }
  return NONE;
}

// The same by all lanes of a warp.
__device__ __forceinline__ Vertex find_visited_by_warp(const Visited& visited, i64 begin, i64 end) {
#pragma unroll 1
  for (i64 base = begin; base < end; base += 4 * WARP) {
    Vertex u[4], hit = NONE;
#pragma unroll
    for (int k = 0; k < 4; k++) u[k] = base + k * WARP + lane() < end ? search.in.column(base + k * WARP + lane()) : NONE;
    u32 hits = visited.which(u);
#pragma unroll
    for (int k = 0; k < 4; k++)
      if (hits >> k & 1) hit = u[k];
    if (u32 hit_lanes = ballot(hit != NONE)) return from_lane(hit, __ffs(hit_lanes) - 1);
  }
  return NONE;
}

// Pass 2, for `size` unresolved vertices. The queues of the frontier, which a pull does not use, have the pieces for pass 3.
__device__ __noinline__ ThreadCounts check_unresolved(i64 size) {
  AppendBuffer<Piece> pieces(search.append_buffer(), &search.counts(1)->unresolved_pieces, in_global(search.queues), search.queue_capacity);
  const Visited visited = visited_with_hubs();
  const TreeLevel tree = search.next_tree_level();
  ThreadCounts counts = {0, 0};
  const Vertex* unresolved = in_global(search.unresolved);
  u32* written_copy = search.other_visited();
#pragma unroll 1
  for (i64 i = block_interleaved_thread(); i < round_up_to_warps(size); i += threads()) {
    i64 begin = 0, end = 0, host_begin = 0, host_end = 0;
    Vertex v = 0;
    if (i < size) {
      v = __ldcg(&unresolved[i]);
      begin = search.in.begin(v) + 2, end = search.in.end(v);
      Vertex parent = find_visited(visited, begin, min(begin + THREAD_EDGES, end));
      if (parent == NONE) begin += THREAD_EDGES, host_begin = search.in.host_begin(v), host_end = search.in.host_end(v);
      else {
        end = begin;
        tree.record(v, parent);
        claim(written_copy, v);
        counts.vertices++;
      }
    }
#pragma unroll 1
    for (; ballot(begin < end); begin += PULL_PIECE) pieces.append(begin < end, Piece::of(v, begin, min((i64)PULL_PIECE, end - begin)));
    if (HAS_HOST_ROWS)
#pragma unroll 1
      for (; ballot(host_begin < host_end); host_begin += PULL_PIECE)
        pieces.append(host_begin < host_end, Piece::of(v, host_begin, min((i64)PULL_PIECE, host_end - host_begin)));
  }
  pieces.flush_block();
  return counts;
}

// Pass 3, for `size` pieces. A piece is skipped if another piece of its row has found a parent.
__device__ __noinline__ ThreadCounts check_pieces(i64 size) {
  const Piece* pieces = in_global(search.queues);
  const TreeLevel tree = search.next_tree_level();
  const Visited visited = visited_with_hubs();
  ThreadCounts counts = {0, 0};
  u32* written_copy = search.other_visited();
#pragma unroll 1
  for (i64 i = block_interleaved_thread() / WARP; i < size; i += warps()) {
    i64 begin = __ldcg(&pieces[i].begin);
    u64 vertex_and_count = __ldcg(&pieces[i].vertex_and_count);
    Vertex v = vertex_and_count >> 32;
    bool is_done = __ldcg(&written_copy[v >> 5]) >> (v & 31) & 1;
    if (from_lane(is_done, 0)) continue;  // lanes may have read different values
    Vertex parent = find_visited_by_warp(visited, begin, begin + (u32)vertex_and_count);
    if (parent != NONE && lane() == 0 && claim(written_copy, v)) {
      tree.record(v, parent);
      counts.vertices++;
    }
  }
  return counts;
}

// Passes 1 and 2.
__device__ __forceinline__ ThreadCounts pull() {
  cache_hubs();
  ThreadCounts counts = check_first_two();
  counts.vertices += check_unresolved(barrier_and_read(&search.counts(1)->unresolved)).vertices;
  return counts;
}
