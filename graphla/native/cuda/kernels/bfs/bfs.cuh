// A breadth-first search in progress: the graph, what is visited, the frontier, counts of a level.
#include "grid.cuh"
#include "bits.cuh"
#include "bfs_rows.cuh"

// Counts of one level. Three of them take turns with the levels of all blocks: one is read, one is filled, one is
// cleared. A fourth is the first block's: while it goes alone, others may still be reading what they have found together.
struct Tally {
  u64 found, edges;     // vertices, and their out-edges
  u64 queued;           // pieces of the next frontier's rows
  u64 waiting, pieces;  // vertices, and pieces of their rows, left for a later pass
  __device__ __forceinline__ void clear() { found = edges = queued = waiting = pieces = 0; }
};

// Where the search stands between two levels.
struct Position {
  i64 level, open, unexplored;  // of the frontier; vertices not visited; edges of those
  i64 found, edges, queued;     // vertices on the frontier, their edges, and pieces of these
  i64 before;                   // edges of the frontier of the level before
};

// What the blocks tell each other.
struct State {
  u32 arrived, unused;
  Position position;  // as the first block left it when it had gone alone
  Tally tallies[4];
};

// The tree, for what is found in one level.
struct Tree {
  u32 *nodes, mark;
  bool is_deep;
  __device__ __forceinline__ void record(i64 v, Vertex parent) const;
  __device__ __forceinline__ bool found(i64 v) const;  // a visited vertex in this level
};

struct Search {
  int n;
  Rows out, in;
  const u64* heads;     // the first two in-neighbours of each vertex, the second marked MORE
  u32* tree;            // of each visited vertex: its level in the bits from `shift` on, its parent
  u32* deep;            // its level where those bits are all ones
  u32* bits;            // what is visited, twice: pull reads one and writes the other
  int now;              // which of the two is up to date
  Piece* queues;        // the frontier of a level, by parity
  i64 capacity;         // of a queue
  Vertex* waiting;      // open vertices
  State* state;
  int shift;
  Position at;
  u32 turn;             // levels of all blocks so far
  bool alone;           // whether this block is the first one, without the others
  i64 left;             // pieces of rows that a level has yet to look through
  Piece* buffers;       // in shared memory: what each warp gathers for a list
  u32* hubs;            // in shared memory: the first words of the visited bits

  __device__ __forceinline__ Tally* tally(int ahead) const { return &global(state)->tallies[alone ? 3 : (turn + ahead) % 3]; }
  __device__ __forceinline__ int words() const { return (int)(((u32)n + 31) / 32); }
  __device__ __forceinline__ int pairs() const { return words() + words() % 2; }  // two words are read at once
  __device__ __forceinline__ u32* visited() const { return global(bits + now * pairs()); }
  __device__ __forceinline__ u32* other() const { return global(bits + (1 - now) * pairs()); }
  __device__ __forceinline__ Piece* queue(int ahead) const { return global(queues + ((at.level + ahead) & 1) * capacity); }
  __device__ __forceinline__ Piece* buffer() const { return of_block(buffers + threadIdx.x / WARP * AppendBuffer<Piece>::CAPACITY); }
  __device__ __forceinline__ Tree of_level(u32 level) const {
    const u32 last = (1ll << (32 - shift)) - 1;
    return {tree, min(level, last) << shift, level >= last};
  }
  __device__ __forceinline__ Tree next_level() const { return of_level(at.level + 1); }
};

// Of this block: a copy for each thread would lie in its local memory, at many times the cost. Its first
// thread alone changes it, between two barriers.
__shared__ Search s;

__device__ __forceinline__ void Tree::record(i64 v, Vertex parent) const {
  global(nodes)[v] = mark | parent;
  if (is_deep) global(s.deep)[v] = s.at.level + 1;
}

__device__ __forceinline__ bool Tree::found(i64 v) const {
  return (__ldcg(&nodes[v]) ^ mark) >> s.shift == 0 && (!is_deep || __ldcg(&s.deep[v]) == s.at.level);
}

// Wait for all blocks; return a word that they have added to, read by one thread: were all to read it, they
// would stand in a queue for microseconds.
__device__ __forceinline__ i64 agree(const u64* word) {
  __shared__ u64 seen;
  __syncthreads();
  if (threadIdx.x == 0) {
    wait_for_blocks(&s.state->arrived);
    seen = __ldcg(word);
  }
  __syncthreads();
  return seen;
}

// Which vertices are visited; the bits of the hubs, of which most questions are, are in shared memory.
struct Visited {
  u32 *hubs, *bits, hub_words;
  __device__ __forceinline__ bool is_hub(Vertex u) const { return u >> 5 < hub_words; }
  __device__ __forceinline__ bool has(Vertex u) const { return bit(is_hub(u) ? of_hub(u) : of_other(u), u); }
  // Bit k of the answer is for u[k]; NONE is not visited. All is asked before the first answer is looked at.
  template <int N> __device__ __forceinline__ u32 which(const Vertex (&u)[N]) const {
    u32 word[N], found = 0;
#pragma unroll
    for (int k = 0; k < N; k++) word[k] = u[k] != NONE && !is_hub(u[k]) ? of_other(u[k]) : 0;
#pragma unroll
    for (int k = 0; k < N; k++)
      if (is_hub(u[k])) word[k] = of_hub(u[k]);
#pragma unroll
    for (int k = 0; k < N; k++) found |= (u32)bit(word[k], u[k]) << k;
    return found;
  }
  __device__ __forceinline__ u32 of_hub(Vertex u) const { return hubs[u >> 5]; }
  __device__ __forceinline__ u32 of_other(Vertex u) const { return __ldcg(&bits[u >> 5]); }
  static __device__ __forceinline__ bool bit(u32 word, Vertex u) { return word >> (u & 31) & 1; }
};

__device__ __forceinline__ Visited with_hubs() { return {of_block(s.hubs), s.visited(), min((u32)HUB_WORDS, (u32)s.words()) & ~1u}; }
__device__ __forceinline__ Visited without_hubs() { return {of_block(s.hubs), s.visited(), 0}; }
__device__ __forceinline__ void keep_hubs() {
  const Visited visited = with_hubs();
  const u64* from = (const u64*)visited.bits;
#pragma unroll 8
  for (int w = threadIdx.x; w < visited.hub_words / 2; w += blockDim.x) ((u64*)visited.hubs)[w] = __ldcg(&from[w]);
  __syncthreads();
}

// Whether the bit was not set before.
__device__ __forceinline__ bool claim(u32* bits, Vertex v) {
  u32 bit = 1u << (v & 31);
  return !(atomicOr(&bits[v >> 5], bit) & bit);
}

// The place of this thread where the warps of different blocks are neighbours: a short list keeps all blocks busy.
__device__ __forceinline__ i64 spread() { return ((i64)(threadIdx.x / WARP) * gridDim.x + blockIdx.x) * WARP + lane(); }

// Queue the row of each lane's vertex, in pieces; all lanes of the warp come here.
__device__ __forceinline__ void queue_range(AppendBuffer<Piece>& stage, bool has, Vertex v, i64 begin, i64 end) {
  i64 count = end - begin;
  stage.append(has && count > 0 && count <= PIECE, Piece::of(v, begin, count));
  int pieces = has && count > PIECE ? (int)((count + PIECE - 1) / PIECE) : 0;
  u32 who = ballot(pieces);
  if (!who) return;
  int ends = warp_scan(pieces);
  u64 first = 0;
  if (lane() == WARP - 1) first = atomicAdd(stage.count, (u64)ends);
  first = from_lane(first, WARP - 1);
  int all = from_lane(ends, WARP - 1);
#pragma unroll 1
  for (int base = 0; base < all; base += WARP) {  // piece `base + lane` is of the row of lane l
    int i = base + lane(), l = owner_lane(ends, i);
    i64 from = from_lane(begin, l), size = from_lane(count, l), offset = (i64)(i - from_lane(ends - pieces, l)) * PIECE;
    Vertex hub = from_lane(v, l);
    if (i < all && (i64)first + i < stage.capacity) stage.list[first + i] = Piece::of(hub, from + offset, min((i64)PIECE, size - offset));
  }
}

__device__ __forceinline__ void queue_row(AppendBuffer<Piece>& stage, bool has, Vertex v) {
  queue_range(stage, has, v, has ? s.out.begin(v) : 0, has ? s.out.end(v) : 0);
  if (FAR) queue_range(stage, has, v, has ? s.out.far_begin(v) : 0, has ? s.out.far_end(v) : 0);
}

// What a thread has found in a level: vertices, and their edges where they are counted.
struct Found {
  u64 vertices, edges;
};

// What all of them have found.
struct Totals {
  u64 found, edges, queued, pieces;
};

// Add what the threads of a block have found to the counts of a level; wait for all blocks, or those of one
// alone; let `change` take the counts to the block's search.
template <class Change> __device__ __forceinline__ void close_level(Tally* tally, Found mine, bool alone, Change change) {
  __shared__ u64 sums[2];
  if (threadIdx.x == 0) sums[0] = sums[1] = 0;
  __syncthreads();
  if (ballot(mine.vertices || mine.edges)) {
    u64 found = warp_sum(mine.vertices), edges = warp_sum(mine.edges);
    if (lane() == 0) {
      atomicAdd(&sums[0], found);
      atomicAdd(&sums[1], edges);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    if (sums[0]) atomicAdd(&tally->found, sums[0]);
    if (sums[1]) atomicAdd(&tally->edges, sums[1]);
    if (!alone) wait_for_blocks(&s.state->arrived);
    change(Totals{__ldcg(&tally->found), __ldcg(&tally->edges), __ldcg(&tally->queued), __ldcg(&tally->pieces)});
  }
  __syncthreads();
}
