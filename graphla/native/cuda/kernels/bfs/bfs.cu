// Breadth-first search as one cooperative launch, a level ending where all blocks wait for each other.
#include "bfs_push.cuh"
#include "bfs_few.cuh"

// Nothing is visited but the source, and its row is queued.
__device__ __forceinline__ void begin(Vertex source) {
  u32* visited = s.visited();
  for (int w = thread(); w < s.words(); w += threads()) {
    u32 beyond = w == (s.n >> 5) ? ~0u << (s.n & 31) : 0;  // no vertices: never open
    visited[w] = beyond | (w == (source >> 5) ? 1u << (source & 31) : 0);
  }
  if (warp() == 0) {
    if (lane() == 0) {
      for (int k = 0; k < 4; k++) s.state->tallies[k].clear();
      s.tree[source] = source;
    }
    __syncwarp();
    AppendBuffer<Piece> stage(s.buffer(), &s.tally(0)->queued, s.queue(0), s.capacity);
    queue_row(stage, lane() == 0, source);
    stage.flush_warp();
  }
  i64 queued = agree(&s.tally(0)->queued);
  if (threadIdx.x == 0) s.at.edges = s.out.degree(source), s.at.queued = queued;
  __syncthreads();
}

// Go over to the next level, once it is known that the last one has left no pieces of rows, or when they are done.
__device__ __forceinline__ void advance(Found mine, bool alone, bool other_bits) {
  auto go_over = [&](const Totals& of) {
    s.at.level++, s.turn += !alone;
    s.at.open -= of.found, s.at.unexplored -= of.edges, s.at.before = s.at.edges;
    s.at.found = of.found, s.at.edges = of.edges, s.at.queued = of.queued;
    if (other_bits) s.now = 1 - s.now;
  };
  close_level(s.tally(1), mine, alone, [&](const Totals& of) {
    s.left = of.pieces;
    if (!of.pieces) go_over(of);
  });
  if (s.left) close_level(s.tally(1), look_through_pieces(s.left), false, go_over);
}

// One level top-down, by all blocks or by the first one alone.
__device__ __forceinline__ Found push_level(bool alone, bool crowded) {
  if (crowded) return push_crowd();
  return push(alone ? warp() : spread() / WARP, alone ? blockDim.x / WARP : warps());
}

// Whether to queue nothing, as so much is found that the next level will go bottom-up, if edges go on to grow as they did.
__device__ __forceinline__ bool is_crowded() {
  double edges = s.at.edges, next = edges * edges / max(s.at.before, (i64)1);
  return edges > CROWDED || next * ALPHA > s.at.unexplored;
}

// Queue the frontier, which the last level, top-down or not, has only marked; the counts of that level, to which this
// adds, all blocks must have read.
__device__ __forceinline__ void queue_frontier(bool down) {
  grid_barrier(&s.state->arrived);
  i64 estimate = s.at.edges;
  close_level(s.tally(0), queue_new(down), false, [&](const Totals& of) { s.at.edges = of.edges - estimate, s.at.queued = of.queued; });
}

// All blocks go on from where the first one has come alone.
__device__ __forceinline__ void meet() {
  if (thread() == 0) s.state->position = s.at;
  __syncthreads();
  if (threadIdx.x == 0) {
    wait_for_blocks(&s.state->arrived);
    for (int k = 0; k < sizeof(Position) / 8; k++) ((u64*)&s.at)[k] = __ldcg((u64*)&s.state->position + k);
  }
  __syncthreads();
}

// Take over from the blocks that went alone before this launch, in a cluster: they have only marked their last level.
__device__ __forceinline__ void take_over() {
  for (int k = threadIdx.x; k < sizeof(Position) / 8; k += blockDim.x) ((u64*)&s.at)[k] = __ldcg((u64*)&s.state->position + k);
  if (thread() == 0)
    for (int k = 0; k < 4; k++) s.state->tallies[k].clear();
  __syncthreads();
  if (s.at.found && s.at.open) queue_frontier(true);
}

// Levels of few edges are the first block's alone, as its own threads wait for each other sooner than blocks do.
// Bottom-up, a level asks all open vertices, until they are few. Returns whether every vertex with an edge is in the
// tree, or marked as none of it.
__device__ __forceinline__ bool search(bool down) {
  for (;;) {
    bool alone = down && s.at.edges <= ALONE, crowded = down && !alone && is_crowded();
    bool last = !down && s.at.open * SHARE <= threads(), was_down = down;
    if (!alone || blockIdx.x == 0) {
      if (threadIdx.x == 0) {
        s.alone = alone;
        if (blockIdx.x == 0) s.tally(alone ? 1 : 2)->clear();
      }
      __syncthreads();
      if (last) pull_last();
      else advance(down ? push_level(alone, crowded) : pull(), alone, !down);
      if (alone && s.at.found && s.at.edges <= ALONE) continue;
    }
    if (alone) meet();
    if (!s.at.found || !s.at.open) return last || !s.at.open;
    bool soon = !last && s.at.open * SHARE <= threads();  // the last levels are next
    down = down ? s.at.edges * ALPHA <= s.at.unexplored : !soon && s.at.found * BETA < s.at.open;
    if (down && (crowded || !was_down)) queue_frontier(was_down);
    down = down && s.at.queued <= s.capacity;
  }
}

extern "C" __global__ void __launch_bounds__(1024, 1)
    bfs(i64 n, i64 source, const i32* rank, const Offset* out_ends, const u32* out_rows, const Offset* out_far_ends,
        const u32* out_far, i64 out_near, const Offset* in_ends, const u32* in_rows, const Offset* in_far_ends,
        const u32* in_far, i64 in_near, const u64* heads, u32* tree, u32* deep, u32* visited, Piece* queue, i64 capacity,
        u32* waiting, State* state, i64 edges, i64 shift) {
  SHARED_ARRAY(u32, shared);
  if (threadIdx.x == 0) {
    s.n = n, s.heads = heads, s.tree = tree, s.deep = deep, s.bits = visited, s.now = 0, s.queues = queue, s.capacity = capacity;
    s.out = {out_ends, out_rows, out_far_ends, out_far, out_near}, s.in = {in_ends, in_rows, in_far_ends, in_far, in_near};
    s.waiting = waiting, s.state = state, s.shift = shift, s.at = {0, n - 1, edges, 1, 0, 0, 0}, s.turn = 0, s.alone = false;
    s.hubs = shared, s.buffers = (Piece*)(shared + HUB_WORDS);
  }
  __syncthreads();
  i64 root = rank[source];
  if (root >= 0) {
#if BEGUN
    take_over();
    if (!s.at.open || (s.at.found && search(s.at.queued <= s.capacity))) return;
#else
    begin(root);
    if (search(true)) return;
#endif
  }
  const u32* bits = s.visited();
#pragma unroll 1
  for (int w = thread(); w < s.words(); w += threads())
    for (u32 open = root < 0 ? ~0u : ~__ldcg(&bits[w]); open; open &= open - 1) {
      i64 v = (i64)w * 32 + __ffs(open) - 1;
      if (v < n) tree[v] = NONE;
    }
}
