// Breadth-first search as one cooperative launch, a level ending where all blocks wait for each other.
#include "bfs_push.cuh"
#include "bfs_pull.cuh"

// Nothing is visited but the source, and its row is queued.
__device__ __forceinline__ void begin(Search& s, Stage<Piece>& stage, Vertex source) {
  for (i64 w = thread(); w < s.words(); w += threads()) {
    u32 beyond = w == s.n >> 5 ? ~0u << (s.n & 31) : 0;  // no vertices: never open
    s.visited[0][w] = beyond | (w == source >> 5 ? 1u << (source & 31) : 0);
  }
  if (warp() == 0) {
    if (lane() == 0) {
      for (int k = 0; k < 3; k++) s.state->tallies[k].clear();
      s.state->listed = 0;
      s.tree[source] = source;
      s.tally(0)->edges = s.out.degree(source);
    }
    __syncwarp();
    stage.begin(&s.tally(0)->queued, s.queue[0], s.capacity);
    queue_row(s, stage, lane() == 0, source);
    stage.flush();
  }
  grid_barrier(&s.state->arrived);
}

// Go over to the next level; return how many vertices are on its frontier.
__device__ __forceinline__ i64 advance(Search& s) {
  s.level++;
  i64 found = __ldcg(&s.tally(0)->found);
  s.open -= found;
  s.unexplored -= __ldcg(&s.tally(0)->edges);
  return found;
}

__device__ __forceinline__ bool is_small(const Search& s) { return __ldcg(&s.tally(0)->edges) <= ALONE; }

// One level top-down, by all blocks or by the first one alone.
__device__ __forceinline__ i64 push_level(Search& s, Stage<Piece>& stage, bool alone) {
  if (thread() == 0) s.tally(2)->clear();
  bool crowded = __ldcg(&s.tally(0)->edges) > (u64)threads();  // many claims will fail: look first
  stage.begin(&s.tally(1)->queued, s.queue[1 - (s.level & 1)], s.capacity);
  push(s, stage, __ldcg(&s.tally(0)->queued), crowded, warp(), alone ? blockDim.x / WARP : warps());
  close_level(s, s.tally(1), alone);
  return advance(s);
}

// Levels of few edges: the first block goes on alone, as its own threads wait for each other sooner than
// blocks do. The others are told how far it has come.
__device__ __forceinline__ i64 push_alone(Search& s, Stage<Piece>& stage) {
  if (blockIdx.x == 0) {
    i64 found;
    do found = push_level(s, stage, true);
    while (found && is_small(s));
    if (threadIdx.x == 0) s.state->level = s.level, s.state->open = s.open, s.state->unexplored = s.unexplored;
  }
  grid_barrier(&s.state->arrived);
  s.level = __ldcg(&s.state->level), s.open = __ldcg(&s.state->open), s.unexplored = __ldcg(&s.state->unexplored);
  return __ldcg(&s.tally(0)->found);
}

// One level bottom-up.
__device__ __forceinline__ i64 pull_level(Search& s, Stage<Vertex>& waiting, Stage<Piece>& stage, bool& listed) {
  if (thread() == 0) s.tally(2)->clear();
  if (s.open <= LISTED) {
    if (!listed) {
      list_open(s, waiting);
      grid_barrier(&s.state->arrived);
    }
    listed = true;
    pull_few(s, __ldcg(&s.state->listed));
  } else pull(s, waiting, stage, s.tally(1));
  close_level(s, s.tally(1), false);
  s.now = 1 - s.now;
  return advance(s);
}

__device__ __forceinline__ void search(Search& s, Stage<Vertex>& waiting, Stage<Piece>& stage) {
  bool down = true, listed = false;
  for (;;) {
    i64 found = !down ? pull_level(s, waiting, stage, listed) : is_small(s) ? push_alone(s, stage) : push_level(s, stage, false);
    if (!found || !s.open) return;
    if (down) {
      i64 edges = __ldcg(&s.tally(0)->edges), queued = __ldcg(&s.tally(0)->queued);
      down = edges * ALPHA <= s.unexplored && queued <= s.capacity;
    } else if (found * BETA < s.open) {
      if (thread() == 0) s.state->listed = 0;
      stage.begin(&s.tally(0)->queued, s.queue[s.level & 1], s.capacity);
      queue_new(s, stage);
      close_level(s, s.tally(0), false);
      down = __ldcg(&s.tally(0)->queued) <= s.capacity;
      listed = false;
    }
  }
}

extern "C" __global__ void __launch_bounds__(1024, 1)
    bfs(i64 n, i64 source, const i32* rank, const Offset* out_ends, const u32* out_rows, const Offset* out_far_ends,
        const u32* out_far, i64 out_near, const Offset* in_ends, const u32* in_rows, const Offset* in_far_ends,
        const u32* in_far, i64 in_near, const u32* heads, u32* tree, u32* deep, u32* visited, Piece* queue, i64 capacity,
        u32* waiting, State* state, i64 edges, i64 shift) {
  SHARED_ARRAY(u32, shared);
  Search s;
  s.n = n, s.heads = heads, s.tree = tree, s.deep = deep, s.capacity = capacity, s.waiting = waiting, s.state = state, s.shift = shift;
  s.out.ends = out_ends, s.out.nearby = out_rows, s.out.far_ends = out_far_ends, s.out.distant = out_far, s.out.near = out_near;
  s.in.ends = in_ends, s.in.nearby = in_rows, s.in.far_ends = in_far_ends, s.in.distant = in_far, s.in.near = in_near;
  s.visited[0] = visited, s.visited[1] = visited + s.words(), s.queue[0] = queue, s.queue[1] = queue + capacity;
  s.now = 0, s.level = 0, s.open = n - 1, s.unexplored = edges, s.found = s.edges = 0, s.hubs = shared, s.hub_words = 0;
  Stage<Piece> stage;
  Stage<Vertex> waits;
  stage.buffer = (Piece*)(shared + HUB_WORDS) + threadIdx.x / WARP * Stage<Piece>::ROOM;
  waits.buffer = (Vertex*)stage.buffer;
  stage.size = waits.size = 0;

  i64 root = rank[source];
  if (root >= 0) {
    begin(s, stage, root);
    search(s, waits, stage);
  }
  for (i64 w = thread(); w < s.words(); w += threads())
    for (u32 open = root < 0 ? ~0u : ~__ldcg(&s.visited[s.now][w]); open; open &= open - 1) {
      i64 v = w * 32 + __ffs(open) - 1;
      if (v < n) tree[v] = NONE;
    }
}
