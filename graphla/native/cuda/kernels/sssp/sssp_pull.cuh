// Rounds of a search for shortest paths by pull (back-relaxation), and the parents:
//     pull          d(v) = min over u in in(v) of d(u) + w(u, v)
//     find_parents  parent(v) = a u in in(v) with d(u) + w(u, v) = d(v)
//
// Work split: one row per lane, long rows by a warp; BATCH edges in flight per lane. Rows are sorted by weight, and a lane stops at
// the first edge that cannot help.
// Conflicts: only the owner of a row writes d(v) and parent(v). Other threads may read an old d(v), which is too large: a vertex
// that changes is queued and its change is propagated later.
// Memory: the edges up to the first useless one, and the distances of their ends.
// Source: V. Chakaravarthy et al., IPDPS 2014 (push and pull).
#include "sssp.cuh"

enum { BATCH = 4 };
enum { STEP_FACTOR = 32 };  // by which the step of the bound grows after a pull, when distances are nearly final

// For each row v: search_row(v, p, end, stride), whose lane begins with edge p, returns what the lane found; join(found) combines the
// lanes of a warp that shares a row; accept(has_result, v, found) is called by all lanes.
template <class RowSearch, class Join, class Accept>
__device__ __forceinline__ void for_each_row(const Search& search, RowSearch search_row, Join join, Accept accept) {
#pragma unroll 1
  for (i64 v = search.warp; v < search.in.long_rows; v += warps())
    accept(lane() == 0, v, join(search_row(v, search.in.offsets[v] + lane(), search.in.offsets[v + 1], WARP)));
#pragma unroll 1
  for (i64 base = search.in.long_rows + search.warp * WARP; base < search.n; base += warps() * WARP) {
    i64 v = base + lane();
    bool has_row = v < search.n;
    accept(has_row, v, has_row ? search_row(v, search.in.offsets[v], search.in.offsets[v + 1], 1) : 0);
  }
}

// Lower every distance by the in-edges. Edges from vertices nearer than `floor` have been relaxed before, so that an edge of weight
// w cannot lower d(v) if floor + w >= d(v), nor can the heavier ones behind it. Queues the vertices that change and counts their
// out-edges.
PHASE ThreadCounts pull(const Search& caller_search, Code floor) {
  const Search search = copy_for_phase(caller_search);
  AppendBuffer<Item> buffer(search.append_buffer, &search.counts(1)->queued, search.queue(1), search.queue_capacity);
  ThreadCounts counts = {0, ~0ull};
  auto find_distance = [&](i64 v, i64 p, i64 end, int stride) {
    Code best = __ldcg(&search.distances[v]);
    for (; p < end && floor < best; p += BATCH * stride) {
      Edge edge[BATCH];
      Code distance[BATCH];  // of the edge's start; infinity if the edge is useless
#pragma unroll
      for (int k = 0; k < BATCH; k++) {
        bool has_edge = p + k * stride < end;
        if (has_edge) edge[k] = search.in.edges[p + k * stride];
        distance[k] = has_edge && plus(floor, edge[k].weight) < best ? 0 : search.infinity;
      }
      bool was_first_useful = distance[0] == 0;
#pragma unroll
      for (int k = 0; k < BATCH; k++)
        if (distance[k] == 0) distance[k] = __ldcg(&search.distances[edge[k].to]);
#pragma unroll
      for (int k = 0; k < BATCH; k++)
        if (distance[k] < search.infinity) best = min(best, plus(distance[k], edge[k].weight));
      if (!was_first_useful) break;
    }
    return best;
  };
  auto least = [](Code best) { return (Code)warp_min(best); };
  for_each_row(search, find_distance, least, [&](bool has_result, i64 v, Code best) {
    bool is_lower = has_result && best < __ldcg(&search.distances[v]);
    if (is_lower) {
      search.distances[v] = best;
      counts.count += search.out.offsets[v + 1] - search.out.offsets[v];
      counts.least_distance = min(counts.least_distance, (u64)best);
    }
    buffer.append(is_lower, Item::of(v, best));
  });
  buffer.flush_block();
  return counts;
}

// Pull until the changed vertices have so few edges that a push is faster than one more pull.
__device__ __forceinline__ void pull_all(Search& search) {
  Code floor = 0;
  do {
    if (thread() == 0) search.counts(2)->clear();
    end_round(search, pull(search, floor));
    floor = min(search.least_distance, (u64)search.infinity);
  } while (search.count > (u64)(search.n + search.nvals / 64));
  search.needs_pull = false;
  if (!search.has_larger_step)
    search.step = to_distance(search.infinity) / STEP_FACTOR < search.step ? to_distance(search.infinity) : search.step * STEP_FACTOR;
  search.has_larger_step = true;
}

// The first round takes parents with d(u) < d(v). The later ones, with `allows_equal`, take for the vertices that have none yet (by
// edges of weight 0, or by rounding) a u with d(u) = d(v) that has a parent: so that no cycle arises. Counts the reached vertices
// without a parent.
PHASE ThreadCounts find_parents(const Search& caller_search, u32* parents, Vertex source, bool allows_equal) {
  const Search search = copy_for_phase(caller_search);
  ThreadCounts counts = {0, ~0ull};
  auto find_parent = [&](i64 v, i64 p, i64 end, int stride) {
    Code v_distance = __ldcg(&search.distances[v]);
    if (v == source) return (u32)source;
    if (v_distance == search.infinity) return (u32)NONE;
    if (allows_equal && __ldcg(&parents[v]) != NONE) return __ldcg(&parents[v]);
    for (; p < end; p += BATCH * stride) {
      Edge edge[BATCH];
      bool is_candidate[BATCH];
#pragma unroll
      for (int k = 0; k < BATCH; k++) {
        is_candidate[k] = p + k * stride < end;
        if (is_candidate[k]) edge[k] = search.in.edges[p + k * stride];
        is_candidate[k] = is_candidate[k] && plus(0, edge[k].weight) <= v_distance;
      }
#pragma unroll
      for (int k = 0; k < BATCH; k++) {
        Code distance = is_candidate[k] ? __ldcg(&search.distances[edge[k].to]) : search.infinity;
        bool may_be_parent = allows_equal ? distance == v_distance && __ldcg(&parents[edge[k].to]) != NONE : distance < v_distance;
        if (distance != search.infinity && may_be_parent && plus(distance, edge[k].weight) == v_distance) return (u32)edge[k].to;
      }
      if (!is_candidate[0]) break;
    }
    return (u32)NONE;
  };
  auto any = [](u32 parent) {
    u32 lanes = ballot(parent != NONE);
    return from_lane(parent, lanes ? __ffs(lanes) - 1 : 0);
  };
  for_each_row(search, find_parent, any, [&](bool has_result, i64 v, u32 parent) {
    if (!has_result) return;
    parents[v] = parent;
    counts.count += parent == NONE && __ldcg(&search.distances[v]) != search.infinity;
  });
  return counts;
}

__device__ __forceinline__ void find_all_parents(Search& search, u32* parents, Vertex source) {
  bool allows_equal = false;
  do {
    if (thread() == 0) search.counts(2)->clear();
    end_round(search, find_parents(search, parents, source, allows_equal));
    allows_equal = true;
  } while (search.count);
}
