// Rounds of a search for shortest paths by push:  for queued (v, d(v)) with d(v) <= bound:  d(u) = min(d(u), d(v) + w(v, u));
// vertices u with a smaller distance are queued, items above the bound are queued again.
//
// Work split: a warp takes up to 32 items and distributes their edges over its lanes by a prefix sum of the degrees. Rows of more
// than PIECE edges are cut into pieces for the next round, one per warp. A warp that found few vertices expands these at once, up
// to HOPS times, before it appends them to the queue.
// Conflicts: distances are lowered by atomicMin, after a plain read unless few vertices are queued. Each thread that lowers a
// distance queues the vertex. So a vertex may be queued several times; only the item with its current distance is expanded.
// Memory: for each edge its end and weight in one word pair, and the distance of the end.
// Source: U. Meyer, P. Sanders, J. Algorithms 49 (2003); A. Davidson et al., IPDPS 2014 (near and far).
//
// Defined before: PIECE; MIN_LIGHT_ITEMS, vertices that a light search expands whatever their degree; SPARSE_ITEMS, items of a round
// from which the plain read pays off.
#include "sssp.cuh"

enum {
  MIN_LIGHT_EDGES = 3,  // a light search relaxes so many edges of a row,
  LIGHT_SHARE = 48,     // and one in so many of the row
  HOPS = 16,
  EDGES_IN_FLIGHT = 4   // of a lane
};

// Queue the lanes' vertices that have to be expanded later.
__device__ __forceinline__ void queue_item(AppendBuffer<Item>& buffer, ThreadCounts& counts, bool has_item, Vertex v, Code distance) {
  buffer.append(has_item, Item::of(v, distance));
  if (has_item) counts.least_distance = min(counts.least_distance, (u64)distance);
}

// Relax `count` edges from entry `begin` on of each lane's vertex, which has the given distance.
__device__ __forceinline__ void relax(const Search& search, AppendBuffer<Item>& buffer, ThreadCounts& counts, i64 begin, int count,
                                      Code distance) {
  int end = warp_scan(count), total = from_lane(end, WARP - 1);
  i64 entry_shift = begin - (end - count);
  bool is_sparse = search.queued + 8 * search.queued_pieces < SPARSE_ITEMS;
#pragma unroll 1
  for (int first = 0; first < total; first += EDGES_IN_FLIGHT * WARP) {
    Edge edge[EDGES_IN_FLIGHT];
    Code new_distance[EDGES_IN_FLIGHT];
#pragma unroll
    for (int c = 0; c < EDGES_IN_FLIGHT; c++) {
      int e = first + c * WARP + lane(), owner = owner_lane(end, e);
      i64 p = from_lane(entry_shift, owner) + e;
      new_distance[c] = from_lane(distance, owner);
      edge[c].to = NONE;
      if (e < total) edge[c] = search.out.edges[p];
    }
    Code old_distance[EDGES_IN_FLIGHT];
#pragma unroll
    for (int c = 0; c < EDGES_IN_FLIGHT; c++) {
      bool has_edge = edge[c].to != (Code)NONE;
      new_distance[c] = has_edge ? plus(new_distance[c], edge[c].weight) : search.infinity;
      old_distance[c] = has_edge && !is_sparse ? __ldcg(&search.distances[edge[c].to]) : search.infinity;
    }
#pragma unroll
    for (int c = 0; c < EDGES_IN_FLIGHT; c++)
      if (new_distance[c] < old_distance[c]) old_distance[c] = atomicMin(&search.distances[edge[c].to], new_distance[c]);
#pragma unroll
    for (int c = 0; c < EDGES_IN_FLIGHT; c++) {
      Vertex u = edge[c].to;
      bool is_queued = new_distance[c] < old_distance[c] &&
                       (!search.is_light || u < search.num_expandable || search.total_queued < MIN_LIGHT_ITEMS);
      queue_item(buffer, counts, is_queued, u, new_distance[c]);
    }
  }
}

// Cut a row into pieces for the next round.
__device__ __forceinline__ void queue_pieces(const Search& search, ThreadCounts& counts, Vertex v, i64 begin, i64 count, Code distance) {
  i64 pieces = (count + PIECE - 1) / PIECE, first = atomicAdd(&search.counts(1)->pieces, (u64)pieces);
  for (i64 k = 0; k < pieces; k++) {
    Piece piece = {(u64)(begin + k * PIECE), (u64)v << 32 | (u64)min((i64)PIECE, count - k * PIECE), distance};
    search.piece_list(1)[first + k] = piece;
  }
  counts.least_distance = min(counts.least_distance, (u64)distance);
}

// Expand the lanes' items that are current and within the bound. Long rows are cut into pieces if `may_cut`, else queued again: the
// list of pieces has space for every row once a round.
__device__ __forceinline__ void expand_items(const Search& search, AppendBuffer<Item>& buffer, ThreadCounts& counts, bool has_item, Vertex v,
                                             Code distance, bool may_cut) {
  i64 begin = has_item ? search.out.offsets[v] : 0, count = has_item ? search.out.offsets[v + 1] - begin : 0;
  if (search.is_light) count = min(count, MIN_LIGHT_EDGES + count / LIGHT_SHARE);
  has_item = has_item && __ldcg(&search.distances[v]) == distance;
  bool is_later = distance > search.bound || (count > PIECE && !may_cut);
  queue_item(buffer, counts, has_item && is_later, v, distance);
  if (!has_item || is_later) count = 0;
  if (count > PIECE) {
    queue_pieces(search, counts, v, begin, count, distance);
    count = 0;
  }
  relax(search, buffer, counts, begin, count, distance);
}

// While this warp has few new items, at least one of them within the bound, expand them at once: if all warps have few, a round is
// as long as its barrier.
__device__ __forceinline__ void expand_own_items(const Search& search, AppendBuffer<Item>& buffer, ThreadCounts& counts) {
#pragma unroll 1
  for (int hop = 0; hop < HOPS && buffer.size && buffer.size <= WARP; hop++) {
    __syncwarp();
    bool has_item = lane() < buffer.size;
    Item item = buffer.buffer[has_item ? lane() : 0];
    if (!ballot(has_item && item.distance <= search.bound)) return;
    buffer.size = 0;
    __syncwarp();
    expand_items(search, buffer, counts, has_item, has_item ? item.vertex : 0, item.distance, false);
  }
}

// One round: expand the queue, and the pieces of long rows.
PHASE ThreadCounts expand(const Search& caller_search) {
  const Search search = copy_for_phase(caller_search);
  AppendBuffer<Item> buffer(search.append_buffer, &search.counts(1)->queued, search.queue(1), search.queue_capacity);
  ThreadCounts counts = {0, ~0ull};
  const Item* queue = search.queue(0);
  i64 size = search.queued, num_warps = warps();
  i64 share = max((i64)min((int)WARP, 4), min((i64)WARP, (size + num_warps - 1) / num_warps));
#pragma unroll 1
  for (i64 base = search.warp * share; base < size; base += num_warps * share) {
    bool has_item = lane() < share && base + lane() < size;
    Vertex v = has_item ? __ldcg(&queue[base + lane()].vertex) : 0;
    Code distance = has_item ? __ldcg(&queue[base + lane()].distance) : 0;
    expand_items(search, buffer, counts, has_item, v, distance, true);
  }
  const Piece* pieces = search.piece_list(0);
#pragma unroll 1
  for (i64 i = search.warp; i < (i64)search.queued_pieces; i += num_warps) {
    u64 vertex_and_count = __ldcg(&pieces[i].vertex_and_count), distance = __ldcg(&pieces[i].distance);
    bool is_current = from_lane(__ldcg(&search.distances[vertex_and_count >> 32]) == distance, 0);
    relax(search, buffer, counts, __ldcg(&pieces[i].begin), lane() == 0 && is_current ? (u32)vertex_and_count : 0, distance);
  }
  if (!search.is_light) expand_own_items(search, buffer, counts);
  buffer.flush_block();
  return counts;
}

// Run rounds until the queue is empty; a light search also ends when the queue has shrunk to half of its largest size. The bound
// follows the least queued distance, whether or not items within the last bound are left: a round of few items takes as long as
// one of many.
__device__ __forceinline__ void push_all(Search& search) {
  u64 most_queued = MIN_LIGHT_ITEMS;
  while (search.queued || search.queued_pieces) {
    if (thread() == 0) search.counts(2)->clear();
    Code least = min(search.least_distance, (u64)search.infinity);
    search.bound = to_distance(search.infinity) - to_distance(least) <= search.step ? search.infinity : plus(least, search.step);
    end_round(search, expand(search));
    most_queued = max(most_queued, search.queued);
    if (search.is_light && search.queued * 2 < most_queued && most_queued > MIN_LIGHT_ITEMS) return;
  }
}
