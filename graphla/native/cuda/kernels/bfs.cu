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
  s.at.edges = s.out.degree(source);
  s.at.queued = s.agree(&s.tally(0)->queued);
}

// Go over to the next level.
__device__ __forceinline__ void advance(Search& s, bool alone) {
  close_level(s, s.tally(1), alone);
  s.at.level++;
  s.at.open -= s.at.found;
  s.at.unexplored -= s.at.edges;
}

// One level top-down, by all blocks or by the first one alone.
__device__ __forceinline__ void push_level(Search& s, Stage<Piece>& stage, bool alone, bool crowded) {
  if (thread() == 0) s.tally(2)->clear();
  stage.begin(&s.tally(1)->queued, s.queue[1 - (s.at.level & 1)], s.capacity);
  if (crowded) {
    copy_visited(s);
    grid_barrier(&s.state->arrived);
    push<true>(s, stage, warp(), warps());
  } else push<false>(s, stage, warp(), alone ? blockDim.x / WARP : warps());
  advance(s, alone);
}

// Levels of few edges: the first block goes on alone, as its own threads wait for each other sooner than
// blocks do. The others are told how far it has come.
__device__ __forceinline__ void push_alone(Search& s, Stage<Piece>& stage) {
  if (blockIdx.x == 0) {
    do push_level(s, stage, true, false);
    while (s.at.found && s.at.edges <= ALONE);
    if (threadIdx.x == 0) s.state->position = s.at;
  }
  grid_barrier(&s.state->arrived, (u64*)&s.state->position, s.words_seen, sizeof(Position) / 8);
  s.at = *(Position*)s.words_seen;
}

// One level bottom-up.
__device__ __forceinline__ void pull_level(Search& s, Stage<Vertex>& waiting, Stage<Piece>& stage, bool& listed) {
  if (thread() == 0) s.tally(2)->clear();
  if (s.at.open <= LISTED) {
    if (!listed) list_open(s, waiting);
    i64 size = listed ? s.listed : s.agree(&s.state->listed);
    s.listed = size, listed = true;
    pull_few(s, size);
  } else pull(s, waiting, stage, s.tally(1));
  s.now = 1 - s.now;
  advance(s, false);
}

// Queue the frontier, which the last level has only marked.
__device__ __forceinline__ void queue_frontier(Search& s, Stage<Piece>& stage) {
  if (thread() == 0) s.state->listed = 0;
  stage.begin(&s.tally(0)->queued, s.queue[s.at.level & 1], s.capacity);
  queue_new(s, stage);
  i64 estimate = s.at.edges;
  close_level(s, s.tally(0), false);
  s.at.edges -= estimate;
}

__device__ __forceinline__ void search(Search& s, Stage<Vertex>& waiting, Stage<Piece>& stage) {
  bool down = true, listed = false;
  for (;;) {
    bool marked = !down || s.at.edges > CROWDED;
    if (!down) pull_level(s, waiting, stage, listed);
    else if (s.at.edges <= ALONE) push_alone(s, stage);
    else push_level(s, stage, false, marked);
    if (!s.at.found || !s.at.open) return;
    down = down ? s.at.edges * ALPHA <= s.at.unexplored : s.at.found * BETA < s.at.open;
    if (down && marked) {
      queue_frontier(s, stage);
      listed = false;
    }
    down = down && s.at.queued <= s.capacity;
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
  s.visited[0] = visited, s.visited[1] = visited + s.words() + s.words() % 2,  // words are read in pairs
  s.queue[0] = queue, s.queue[1] = queue + capacity;
  s.now = 0, s.found = s.edges = 0, s.hubs = shared, s.hub_words = s.listed = 0;
  s.at.level = 0, s.at.open = n - 1, s.at.unexplored = edges, s.at.found = 1, s.at.edges = s.at.queued = 0;
  __shared__ u64 words_seen[8];
  s.words_seen = words_seen;
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
