// Breadth-first search as one cooperative launch, a level ending where all blocks wait for each other.
#include "bfs_push.cuh"
#include "bfs_pull.cuh"

// Nothing is visited but the source, and its row is queued.
__device__ __forceinline__ void begin(Search& s, Vertex source) {
  for (i64 w = thread(); w < s.words(); w += threads()) {
    u32 beyond = w == (s.n >> 5) ? ~0u << (s.n & 31) : 0;  // no vertices: never open
    s.visited()[w] = beyond | (w == (source >> 5) ? 1u << (source & 31) : 0);
  }
  if (warp() == 0) {
    if (lane() == 0) {
      for (int k = 0; k < 3; k++) s.state->tallies[k].clear();
      s.state->listed = 0;
      s.tree[source] = source;
      s.tally(0)->edges = s.out.degree(source);
    }
    __syncwarp();
    Stage<Piece> stage(s.buffer, &s.tally(0)->queued, s.queues, s.capacity);
    queue_row(s, stage, lane() == 0, source);
    stage.flush();
  }
  s.at.edges = s.out.degree(source);
  s.at.queued = s.agree(&s.tally(0)->queued);
}

// Go over to the next level.
__device__ __forceinline__ void advance(Search& s, Found mine, bool alone) {
  close_level(s, s.tally(1), mine, alone);
  s.at.level++;
  s.at.open -= s.at.found;
  s.at.unexplored -= s.at.edges;
  s.set_mark();
}

// One level top-down, by all blocks or by the first one alone.
__device__ __forceinline__ void push_level(Search& s, bool alone, bool crowded) {
  if (thread() == 0) s.tally(2)->clear();
  if (crowded) {
    copy_visited(s);
    grid_barrier(&s.state->arrived);
  }
  advance(s, push(s, crowded, warp(), alone ? blockDim.x / WARP : warps()), alone);
}

// One level bottom-up.
__device__ __forceinline__ void pull_level(Search& s, bool& listed) {
  if (thread() == 0) s.tally(2)->clear();
  bool few = s.at.open <= LISTED;
  if (few && !listed) {
    list_open(s);
    s.listed = s.agree(&s.state->listed), listed = true;
  }
  Found mine = few ? pull_few(s) : pull(s);
  s.now = 1 - s.now;
  advance(s, mine, false);
}

// Queue the frontier, which the last level has only marked.
__device__ __forceinline__ void queue_frontier(Search& s) {
  if (thread() == 0) s.state->listed = 0;
  i64 estimate = s.at.edges;
  close_level(s, s.tally(0), queue_new(s), false);
  s.at.edges -= estimate;
}

// All blocks go on from where the first one has come alone.
__device__ __forceinline__ void meet(Search& s) {
  if (thread() == 0) s.state->position = s.at;
  grid_barrier(&s.state->arrived, (u64*)&s.state->position, s.words_seen, sizeof(Position) / 8);
  s.at = *(Position*)s.words_seen;
  s.set_mark();
}

// Levels of few edges are the first block's alone, as its own threads wait for each other sooner than blocks do.
__device__ __forceinline__ void search(Search& s) {
  bool down = true, listed = false;
  for (;;) {
    bool alone = down && s.at.edges <= ALONE, marked = !down || s.at.edges > CROWDED;
    if (!down) pull_level(s, listed);
    else if (!alone || blockIdx.x == 0) push_level(s, alone, marked);
    if (alone && blockIdx.x == 0 && s.at.found && s.at.edges <= ALONE) continue;
    if (alone) meet(s);
    if (!s.at.found || !s.at.open) return;
    down = down ? s.at.edges * ALPHA <= s.at.unexplored : s.at.found * BETA < s.at.open;
    if (down && marked) {
      queue_frontier(s);
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
  s.bits = visited, s.queues = queue;
  s.last = (1ll << (32 - shift)) - 1, s.now = 0, s.hubs = shared, s.hub_words = s.listed = 0;
  s.at.level = 0, s.at.open = n - 1, s.at.unexplored = edges, s.at.found = 1, s.at.edges = s.at.queued = 0;
  s.set_mark();
  __shared__ u64 words_seen[8];
  s.words_seen = words_seen;
  s.buffer = (Piece*)(shared + HUB_WORDS) + threadIdx.x / WARP * Stage<Piece>::ROOM;

  i64 root = rank[source];
  if (root >= 0) {
    begin(s, root);
    search(s);
  }
  for (i64 w = thread(); w < s.words(); w += threads())
    for (u32 open = root < 0 ? ~0u : ~__ldcg(&s.visited()[w]); open; open &= open - 1) {
      i64 v = w * 32 + __ffs(open) - 1;
      if (v < n) tree[v] = NONE;
    }
}
