// Single-source shortest paths with weights >= 0 in one cooperative launch, a grid barrier after each round.
//     d(v) = min over paths from the source to v of the sum of their weights;    parent(v) = the vertex before v on such a path
// Without `relaxes_back`: push along all edges, near items first (sssp_push.cuh). With it, for graphs with many edges and hubs:
//   1. a light search: push along the lightest edges of vertices of higher degree, which gives nearly final distances;
//   2. pull, which reads few edges of each row, until little changes (sssp_pull.cuh);
//   3. push what changed along all edges.
// In both cases 2 and 3 follow a push that overflows the queue.
//
// Work split, conflicts: see sssp_push.cuh and sssp_pull.cuh.
// Memory: for each vertex a distance and the places of two queues; rows sorted by weight. Vertices are numbered by descending
// degree.
// Source: U. Meyer, P. Sanders, J. Algorithms 49 (2003); V. Chakaravarthy et al., IPDPS 2014; A. Davidson et al., IPDPS 2014.
//
// Defined before: STAGE, bytes of a warp's append buffer; what sssp_push.cuh needs.
#include "sssp_push.cuh"
#include "sssp_pull.cuh"

__device__ __forceinline__ void queue_source(Search& search, Vertex source) {
  for (i64 v = thread(); v < search.n; v += threads()) search.distances[v] = v == source ? 0 : search.infinity;
  if (thread() == 0) {
    for (int k = 0; k < 3; k++) search.state->counts[k].clear();
    search.counts(1)->queued = 1, search.counts(1)->least_distance = 0;
    search.queue(1)[0] = Item::of(source, 0);
  }
  ThreadCounts none = {0, ~0ull};
  end_round(search, none);
}

// rank[source] < 0: the source is isolated. Without `parents` only the distances are computed. Distances, infinity and step are
// given as codes (distances.cuh).
extern "C" __global__ void __launch_bounds__(1024, 1)
    sssp(i64 n, i64 source, const i32* rank, const Offset* out_offsets, const Edge* out_edges, i64 long_out_rows, const Offset* in_offsets,
         const Edge* in_edges, i64 long_in_rows, i64 nvals, Code* distances, u32* parents, Item* queues, i64 queue_capacity, Piece* pieces,
         i64 piece_capacity, State* state, i64 num_expandable, i64 infinity, i64 step, i64 relaxes_back) {
  SHARED_ARRAY(Item, shared);
  __shared__ u64 round_counts[4];
  Search search;
  search.n = n, search.nvals = nvals, search.distances = distances, search.queues = queues, search.queue_capacity = queue_capacity;
  search.pieces = pieces, search.piece_capacity = piece_capacity;
  search.out.offsets = out_offsets, search.out.edges = out_edges, search.out.long_rows = long_out_rows;
  search.in.offsets = in_offsets, search.in.edges = in_edges, search.in.long_rows = long_in_rows;
  search.state = state, search.infinity = infinity, search.step = to_distance((Code)step), search.num_expandable = num_expandable;
  search.round_counts = round_counts;
  search.round = 0, search.is_light = search.needs_pull = relaxes_back, search.has_larger_step = false, search.bound = search.total_queued = 0;
  search.append_buffer = (Item*)((unsigned char*)shared + threadIdx.x / WARP * STAGE);
  search.warp = (i64)(threadIdx.x / WARP) * gridDim.x + blockIdx.x;

  i64 root = rank[source];
  if (root < 0) {
    for (i64 v = thread(); v < n; v += threads()) distances[v] = infinity;
    return;
  }
  queue_source(search, root);
  for (;;) {
    push_all(search);
    if (!search.needs_pull) break;
    search.is_light = false;
    pull_all(search);
  }
  if (parents) find_all_parents(search, parents, root);
}
