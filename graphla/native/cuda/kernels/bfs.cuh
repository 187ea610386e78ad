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
  int n;
  Rows out, in;
  const u32* heads;     // the first in-neighbours, then the second ones
  u32* tree;            // of each visited vertex: its level in the bits from `shift` on, its parent
  u32* deep;            // its level where those bits are all ones
  u32* bits;            // what is visited, twice: pull reads one and writes the other
  int now;              // which of the two is up to date
  Piece* queues;        // the frontier of a level, by parity
  i64 capacity;         // of a queue
  u32* waiting;
  int listed;           // how many are in `waiting` where few are open
  State* state;
  int shift;
  Position at;
  u32 mark, last;       // level + 1 as the tree has it; the level that is all ones
  u64* words_seen;      // in shared memory: room for what blocks tell each other
  Piece* buffer;        // of this warp, in shared memory: what it gathers for a list
  u32* hubs;            // in shared memory: the first words of the visited bits
  int hub_words;

  __device__ __forceinline__ Tally* tally(int ahead) const { return &state->tallies[((u32)at.level + ahead) % 3]; }
  __device__ __forceinline__ int words() const { return (int)(((u32)n + 31) / 32); }
  __device__ __forceinline__ u32* visited() const { return bits + now * pairs(); }
  __device__ __forceinline__ u32* other() const { return bits + (1 - now) * pairs(); }
  __device__ __forceinline__ i64 pairs() const { return words() + words() % 2; }  // two words are read at once
  __device__ __forceinline__ Piece* queue(int ahead) const { return queues + ((at.level + ahead) & 1) * capacity; }
  // Wait for all blocks; return a word that they have added to.
  __device__ __forceinline__ i64 agree(const u64* word) {
    grid_barrier(&state->arrived, word, words_seen, 1);
    return words_seen[0];
  }
  __device__ __forceinline__ void set_mark() { mark = min((u32)at.level + 1, last) << shift; }
  __device__ __forceinline__ void record(Vertex v, Vertex parent) const {
    tree[v] = mark | parent;
    if (mark >> shift == last) deep[v] = at.level + 1;
  }
};

__device__ __forceinline__ bool is_set(const u32* bits, Vertex v) { return __ldcg(&bits[v >> 5]) >> (v & 31) & 1; }
// Whether the bit was not set before.
__device__ __forceinline__ bool claim(u32* bits, Vertex v) {
  u32 bit = 1u << (v & 31);
  return !(atomicOr(&bits[v >> 5], bit) & bit);
}

// What a thread has found in a level: vertices, and their edges where they are counted.
struct Found {
  u64 vertices, edges;
};

// A phase of a level is a function of its own that copies what it needs of the search: so its registers are
// its own too.
#define PHASE __device__ __noinline__

// Queue the row of each lane's vertex, in pieces; all lanes of the warp come here.
__device__ __forceinline__ void queue_range(Stage<Piece>& stage, bool has, Vertex v, i64 begin, i64 end) {
  i64 count = end - begin;
  stage.push(has && count > 0 && count <= PIECE, Piece::of(v, begin, count));
  int pieces = has && count > PIECE ? (int)((count + PIECE - 1) / PIECE) : 0;
  u32 who = ballot(pieces);
  if (!who) return;
  int ends = warp_scan(pieces);
  i64 first = stage.reserve(from_lane(ends, WARP - 1)) + ends - pieces;
  for (; who; who &= who - 1) {
    int l = __ffs(who) - 1, many = from_lane(pieces, l);
    Vertex hub = from_lane(v, l);
    i64 from = from_lane(begin, l), size = from_lane(count, l), place = from_lane(first, l);
    for (i64 k = lane(); k < many; k += WARP) stage.put(place + k, Piece::of(hub, from + k * PIECE, min((i64)PIECE, size - k * PIECE)));
  }
}

__device__ __forceinline__ void queue_row(const Search& s, Stage<Piece>& stage, bool has, Vertex v) {
  queue_range(stage, has, v, has ? s.out.begin(v) : 0, has ? s.out.end(v) : 0);
  if (FAR) queue_range(stage, has, v, has ? s.out.far_begin(v) : 0, has ? s.out.far_end(v) : 0);
}

// Add what the threads of a block have found to the counts of a level; wait for all blocks, or those of
// one alone; read the counts.
__device__ __forceinline__ void close_level(Search& s, Tally* tally, Found mine, bool alone) {
  __shared__ u64 sums[2];
  if (threadIdx.x == 0) sums[0] = sums[1] = 0;
  __syncthreads();
  u64 found = warp_sum(mine.vertices), edges = warp_sum(mine.edges);
  if (lane() == 0 && (found || edges)) {
    atomicAdd(&sums[0], found);
    atomicAdd(&sums[1], edges);
  }
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
