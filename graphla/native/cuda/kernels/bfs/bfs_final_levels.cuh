// The last levels of a breadth-first search by pull, once there is a thread for each unvisited vertex: each thread keeps its vertex,
// with its first in-neighbours in registers, through all remaining levels.
//
// Work split: one thread per vertex for the first neighbours; the rest of long rows by the whole warp, one row after the other.
// Conflicts: each level reads one copy of the visited bits and writes the other by atomicOr. A found vertex sets its bit in both
// copies, one per level.
// Memory: no lists; for each level a few visited bits per vertex, and one grid barrier.
#include "bfs_pull.cuh"

// List the unvisited vertices in search.unresolved, and make both copies of the visited bits equal. Returns their number.
__device__ __noinline__ i64 list_unvisited() {
  __shared__ u32 block_count;
  __shared__ u64 block_first;
  if (threadIdx.x == 0) block_count = 0;
  __syncthreads();
  u32 *visited = search.visited(), *other_visited = search.other_visited();
  int count = 0;
  for (int w = thread(); w < search.num_words(); w += threads()) {
    u32 word = __ldcg(&visited[w]);
    other_visited[w] = word, count += __popc(~word);
  }
  int end = warp_scan(count);
  u32 first = 0;
  if (lane() == WARP - 1) first = atomicAdd(&block_count, (u32)end);
  first = from_lane(first, WARP - 1) + end - count;
  __syncthreads();
  if (threadIdx.x == 0) block_first = atomicAdd(&search.counts(1)->unresolved, (u64)block_count);
  __syncthreads();
  Vertex* list = in_global(search.unresolved) + block_first + first;
  for (int w = thread(); count && w < search.num_words(); w += threads())
    for (u32 unvisited = ~__ldcg(&visited[w]); unvisited; unvisited &= unvisited - 1) *list++ = w * 32 + __ffs(unvisited) - 1;
  return barrier_and_read(&search.counts(1)->unresolved);
}

// A thread's unvisited vertex: its first in-neighbours, and the entries begin..end-1 of the others in device memory.
struct UnvisitedVertex {
  Vertex v, first_neighbours[4];
  bool has_more;
  i64 begin, end;
  __device__ __forceinline__ UnvisitedVertex(bool has_vertex, i64 i) {
    v = has_vertex ? __ldcg(&search.unresolved[i]) : 0;
    u64 first_two = has_vertex ? in_global(search.first_two)[v] : ~0ull;
    begin = has_vertex ? search.in.begin(v) + 2 : 0, end = has_vertex ? search.in.end(v) : 0;
    has_more = has_vertex && first_two >> 32 & HAS_MORE;
    first_neighbours[0] = (u32)first_two, first_neighbours[1] = has_vertex ? (u32)(first_two >> 32) & ~HAS_MORE : NONE;
    first_neighbours[2] = first_neighbours[3] = NONE;
#pragma unroll
    for (int k = 2; k < 4; k++)
      if (begin < end) first_neighbours[k] = search.in.column(begin++);
  }
  // A visited in-neighbour, or NONE. All lanes of the warp must call this, also those that do not search.
  __device__ __forceinline__ Vertex find_parent(const Visited& visited, bool searches) const {
    Vertex parent = NONE;
    if (searches) {
      u32 hits = visited.which(first_neighbours);
#pragma unroll
      for (int k = 3; k >= 0; k--)
        if (hits >> k & 1) parent = first_neighbours[k];
      if (parent == NONE) parent = find_visited(visited, begin, min(begin + THREAD_EDGES, end));
    }
#pragma unroll 1
    for (u32 lanes = ballot(searches && parent == NONE && has_more && (HAS_HOST_ROWS || begin + THREAD_EDGES < end)); lanes; lanes &= lanes - 1) {
      int l = __ffs(lanes) - 1;
      Vertex warp_parent = find_visited_by_warp(visited, from_lane(begin, l) + THREAD_EDGES, from_lane(end, l));
      if (HAS_HOST_ROWS && warp_parent == NONE) {
        Vertex lane_vertex = from_lane(v, l);
        warp_parent = find_visited_by_warp(visited, search.in.host_begin(lane_vertex), search.in.host_end(lane_vertex));
      }
      if (l == lane()) parent = warp_parent;
    }
    return parent;
  }
};

// Run levels while the unvisited rows have at most FINAL_EDGES edges, or a level finds one in BETA of the unvisited vertices. If a
// level finds none, the vertices left are unreachable and get the node NONE.
__device__ __noinline__ void run_final_levels() {
  i64 size = list_unvisited(), i = block_interleaved_thread();
  bool is_unvisited = i < size, was_found_last_level = false;
  const UnvisitedVertex vertex(is_unvisited, i);
  do {
    if (thread() == 0) search.counts(2)->clear();
    const Visited visited = visited_without_hubs();
    Vertex parent = vertex.find_parent(visited, is_unvisited);
    bool is_found = parent != NONE;
    if (is_found) search.next_tree_level().record(vertex.v, parent);
    if (is_found || was_found_last_level) claim(search.other_visited(), vertex.v);
    was_found_last_level = is_found, is_unvisited = is_unvisited && !is_found;
    end_level(search.counts(1), {is_found, is_unvisited ? (u64)max(vertex.end - vertex.begin, (i64)0) : 0}, false, [&](const LevelTotals& totals) {
      search.progress.level++, search.common_levels++;
      search.progress.unvisited -= totals.found, search.progress.frontier_size = totals.found;
      search.progress.previous_edges = search.progress.frontier_edges, search.progress.frontier_edges = totals.edges;
      search.progress.frontier_pieces = 0;
      search.current_copy = 1 - search.current_copy;
    });
  } while (search.progress.frontier_size && search.progress.unvisited &&
           (search.progress.frontier_edges <= FINAL_EDGES || search.progress.frontier_size * BETA >= search.progress.unvisited));
  if (is_unvisited && !search.progress.frontier_size) in_global(search.tree)[vertex.v] = NONE;
}
