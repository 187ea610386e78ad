// A breadth-first search in progress: the graph, what is visited, the frontier, counts of a level.
#include "grid.cuh"
#include "bits.cuh"

typedef u32 Vertex;
enum : u32 { NONE = ~0u };
enum {
  PIECE = 128,  // out-edges of the frontier that a warp takes at once
  FEW = 64,     // in-edges through which one thread looks
  LONG = 1024   // in-edges that a warp takes after that
};

// Part of a row: `count` entries from `begin`, of the vertex in the upper half of `who`.
struct Piece {
  u64 begin, who;
  static __device__ __forceinline__ Piece of(Vertex v, i64 begin, i64 count) {
    Piece p;
    p.begin = begin, p.who = (u64)v << 32 | count;
    return p;
  }
};

// Neighbours, those of high degree first. With FAR only the first few of each row are near, in device
// memory; entry `near` and those behind it lie in host memory.
struct Rows {
  const Offset* ends;
  const u32* nearby;
  const Offset* far_ends;
  const u32* distant;
  i64 near;
  __device__ __forceinline__ i64 begin(Vertex v) const { return ends[v]; }
  __device__ __forceinline__ i64 end(Vertex v) const { return ends[v + 1]; }
#if FAR
  __device__ __forceinline__ i64 far_begin(Vertex v) const { return near + far_ends[v]; }
  __device__ __forceinline__ i64 far_end(Vertex v) const { return near + far_ends[v + 1]; }
  __device__ __forceinline__ Vertex at(i64 p) const { return p < near ? nearby[p] : distant[p - near]; }
#else
  __device__ __forceinline__ i64 far_begin(Vertex) const { return 0; }
  __device__ __forceinline__ i64 far_end(Vertex) const { return 0; }
  __device__ __forceinline__ Vertex at(i64 p) const { return nearby[p]; }
#endif
  __device__ __forceinline__ i64 degree(Vertex v) const { return end(v) - begin(v) + far_end(v) - far_begin(v); }
};

// Counts of one level. Three of them take turns: one is read, one is filled, one is cleared.
struct Tally {
  u64 found, edges;     // vertices, and their out-edges
  u64 queued;           // pieces of the next frontier's rows
  u64 waiting, pieces;  // vertices, and pieces of their rows, left for a later pass
  __device__ __forceinline__ void clear() { found = edges = queued = waiting = pieces = 0; }
};

// What every thread knows of the search between two levels.
struct Position {
  i64 level, open, unexplored;  // of the frontier; vertices not visited; edges of those
  i64 found, edges, queued;     // vertices on the frontier, their edges, and pieces of these
};

struct State {
  u32 arrived, unused;
  u64 listed;         // open vertices
  Position position;  // as the first block left it when it had gone alone
  Tally tallies[3];
};

struct Search {
  i64 n;
  Rows out, in;
  const u32* heads;     // the first in-neighbours, then the second ones
  u32* tree;            // of each visited vertex: its level in the bits from `shift` on, its parent
  u32* deep;            // its level where those bits are all ones
  u32* visited[2];      // bits: pull reads one and writes the other
  Piece* queue[2];      // the frontier of a level, by parity
  int shift;
  i64 capacity;         // of a queue
  u32* waiting;
  State* state;
  int now;              // which of `visited` is up to date
  Position at;
  u64 found, edges;             // of this thread in this level
  u64* words_seen;              // in shared memory: room for what blocks tell each other
  u32* hubs;                    // in shared memory: the first words of the visited bits
  i64 hub_words;
  i64 listed;                   // how many are in `waiting` where few are open

  __device__ __forceinline__ Tally* tally(int ahead) const { return &state->tallies[((u32)at.level + ahead) % 3]; }
  // Wait for all blocks; return a word that they have added to.
  __device__ __forceinline__ i64 agree(const u64* word) {
    grid_barrier(&state->arrived, word, words_seen, 1);
    return words_seen[0];
  }
  __device__ __forceinline__ i64 words() const { return (n + 31) / 32; }
  __device__ __forceinline__ bool seen(Vertex u) const { return __ldcg(&visited[now][u >> 5]) >> (u & 31) & 1; }
  // Likewise, while the hubs' bits are in shared memory.
  __device__ __forceinline__ bool reached(Vertex u) const {
    i64 w = u >> 5;
    u32 word = w < hub_words ? hubs[w] : __ldcg(&visited[now][w]);
    return word >> (u & 31) & 1;
  }
  __device__ __forceinline__ bool claim(u32* bits, Vertex v) const {
    u32 bit = 1u << (v & 31);
    return !(atomicOr(&bits[v >> 5], bit) & bit);
  }
  __device__ __forceinline__ void record(Vertex v, Vertex parent) const {
    const i64 last = (1ll << (32 - shift)) - 1;
    i64 depth = at.level + 1;
    tree[v] = (u32)min(depth, last) << shift | parent;
    if (depth >= last) deep[v] = depth;
  }
};

// Queue the row of each lane's vertex, in pieces; all lanes of the warp come here.
__device__ __forceinline__ void queue_range(Stage<Piece>& stage, bool has, Vertex v, i64 begin, i64 end) {
  i64 count = end - begin;
  stage.push(has && count > 0 && count <= PIECE, Piece::of(v, begin, count));
  for (u32 who = ballot(has && count > PIECE); who; who &= who - 1) {
    int l = __ffs(who) - 1;
    Vertex hub = from_lane(v, l);
    i64 from = from_lane(begin, l), size = from_lane(count, l), pieces = (size + PIECE - 1) / PIECE;
    i64 first = stage.reserve(pieces);
    for (i64 k = lane(); k < pieces; k += WARP) stage.put(first + k, Piece::of(hub, from + k * PIECE, min((i64)PIECE, size - k * PIECE)));
  }
}

__device__ __forceinline__ void queue_row(const Search& s, Stage<Piece>& stage, bool has, Vertex v) {
  queue_range(stage, has, v, has ? s.out.begin(v) : 0, has ? s.out.end(v) : 0);
  if (FAR) queue_range(stage, has, v, has ? s.out.far_begin(v) : 0, has ? s.out.far_end(v) : 0);
}

// Add what the threads of a block have found to the counts of a level; wait for all blocks, or those of
// one alone; read the counts.
__device__ __forceinline__ void close_level(Search& s, Tally* tally, bool alone) {
  __shared__ u64 sums[2];
  if (threadIdx.x == 0) sums[0] = sums[1] = 0;
  __syncthreads();
  u64 found = warp_sum(s.found), edges = warp_sum(s.edges);
  if (lane() == 0 && (found || edges)) {
    atomicAdd(&sums[0], found);
    atomicAdd(&sums[1], edges);
  }
  s.found = s.edges = 0;
  __syncthreads();
  if (threadIdx.x == 0 && (sums[0] || sums[1])) {
    atomicAdd(&tally->found, sums[0]);
    atomicAdd(&tally->edges, sums[1]);
  }
  if (threadIdx.x == 0 && !alone) wait_for_blocks(&s.state->arrived);
  if (threadIdx.x < WARP) {
    __syncwarp();
    for (int k = threadIdx.x; k < 3; k += WARP) s.words_seen[k] = __ldcg((u64*)tally + k);
  }
  __syncthreads();
  s.at.found = s.words_seen[0], s.at.edges = s.words_seen[1], s.at.queued = s.words_seen[2];
}
