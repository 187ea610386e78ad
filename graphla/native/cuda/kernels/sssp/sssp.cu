// Shortest paths as one cooperative launch, a round ending where all blocks wait for each other.
#include "sssp_push.cuh"
#include "sssp_pull.cuh"

__device__ __forceinline__ void begin(Search& s, Vertex source) {
  for (i64 v = thread(); v < s.n; v += threads()) s.dist[v] = v == source ? 0 : s.infinity;
  if (thread() == 0) {
    for (int k = 0; k < 3; k++) s.state->tallies[k].clear();
    s.tally(1)->queued = 1, s.tally(1)->least = 0;
    s.queue(1)[0] = Item::of(source, 0);
  }
  Found nothing = {0, ~0ull};
  close_round(s, nothing);
}

// Where edges are many, a search by light edges of hubs comes near to all distances, and vertices correct
// theirs by looking at few edges each. What still changes is pushed along all edges.
extern "C" __global__ void __launch_bounds__(1024, 1)
    sssp(i64 n, i64 source, const i32* rank, const Offset* out_ends, const Edge* out_edges, i64 out_longs, const Offset* in_ends,
         const Edge* in_edges, i64 in_longs, i64 nvals, Code* dist, u32* parent, Item* queues, i64 capacity, Piece* pieces,
         i64 room, State* state, i64 hubs, i64 infinity, i64 step, i64 many) {
  SHARED_ARRAY(Item, shared);
  __shared__ u64 words_seen[4];
  Search s;
  s.n = n, s.nvals = nvals, s.dist = dist, s.queues = queues, s.capacity = capacity, s.pieces = pieces, s.room = room;
  s.out.ends = out_ends, s.out.edges = out_edges, s.out.longs = out_longs;
  s.in.ends = in_ends, s.in.edges = in_edges, s.in.longs = in_longs;
  s.state = state, s.infinity = infinity, s.step = value((Code)step), s.hubs = hubs, s.words_seen = words_seen;
  s.round = 0, s.light = s.lost = many, s.stepped = false, s.bound = s.done = 0;
  s.buffer = (Item*)((unsigned char*)shared + threadIdx.x / WARP * STAGE);
  s.warp = (i64)(threadIdx.x / WARP) * gridDim.x + blockIdx.x;

  i64 root = rank[source];
  if (root < 0) {
    for (i64 v = thread(); v < n; v += threads()) dist[v] = infinity;
    return;
  }
  begin(s, root);
  for (;;) {
    push_all(s);
    if (!s.lost) break;
    s.light = false;
    pull_all(s);
  }
  if (parent) hook_all(s, parent, root);
}
