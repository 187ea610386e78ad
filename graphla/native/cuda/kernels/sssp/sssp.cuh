// Shortest paths in progress: the graph, distances, what waits to be expanded.
#include "agree.cuh"
#include "distances.cuh"

typedef u32 Vertex;
enum : u32 { NONE = ~0u };

// A vertex that waits, with the distance it came to: void where it has a smaller one by now.
struct alignas(2 * sizeof(Code)) Item {
  Code vertex, distance;
  static __device__ __forceinline__ Item of(Vertex v, Code d) {
    Item i;
    i.vertex = v, i.distance = d;
    return i;
  }
};
struct Piece {
  u64 begin, who, distance;  // of a row: `count` edges, in the lower half of `who`, of the vertex in the upper
};

// Counts of one round. Three of them take turns: one is read, one is filled, one is cleared.
struct Tally {
  u64 queued, pieces;  // for the next round
  u64 count, least;    // what is counted; the smallest distance that waits
  __device__ __forceinline__ void clear() { queued = pieces = count = 0, least = ~0ull; }
};
struct State {
  u32 arrived, unused;
  Tally tallies[3];
};

struct Search {
  i64 n, nvals;
  Rows out, in;
  Code* dist;
  Item* queues;       // what waits, by parity of the round
  i64 capacity;
  Piece* pieces;      // of rows of hubs, likewise
  i64 room;
  State* state;
  Code infinity;
  Distance step;      // of the bound, beyond the least distance that waits
  i64 hubs;           // vertices of a degree that is worth a light search
  u32 round;
  bool light, lost;   // light edges alone; whether something is not queued that should be
  bool stepped;       // whether the step is the larger one
  Code bound;         // what is farther waits
  u64 queued, queued_pieces, count, least, done;  // as the last round left them; queued in all rounds
  Item* buffer;       // of this warp, in shared memory
  u64* words_seen;    // in shared memory
  i64 warp;           // a number of this warp: few of them are in all blocks

  __device__ __forceinline__ Tally* tally(int ahead) const { return &state->tallies[(round + ahead) % 3]; }
  __device__ __forceinline__ Item* queue(int ahead) const { return queues + ((round + ahead) & 1) * capacity; }
  __device__ __forceinline__ Piece* piece_list(int ahead) const { return pieces + ((round + ahead) & 1) * room; }
};

struct Found {
  u64 count, least;
};

// A phase is a function of its own, with registers of its own. It has to be told where the arrays lie.
#define PHASE __device__ __noinline__
#ifdef SIMULATED
#define IN_GLOBAL(p)
#else
#define IN_GLOBAL(p) __builtin_assume(__isGlobal(p))
#endif
__device__ __forceinline__ Search copy_of(const Search& search) {
  Search s = search;
  IN_GLOBAL(s.out.ends); IN_GLOBAL(s.out.edges); IN_GLOBAL(s.in.ends); IN_GLOBAL(s.in.edges);
  IN_GLOBAL(s.dist); IN_GLOBAL(s.queues); IN_GLOBAL(s.pieces); IN_GLOBAL(s.state);
  return s;
}

__device__ __forceinline__ u64 warp_min(u64 x) {
  for (int d = WARP / 2; d; d /= 2) x = min(x, from_lane(x, lane() ^ d));
  return x;
}

// Add what the threads have found to the counts of a round, wait for all, read the counts, go on.
PHASE void close_round(Search& s, Found mine) {
  __shared__ u64 sum, least;
  if (threadIdx.x == 0) sum = 0, least = ~0ull;
  __syncthreads();
  Found all = {warp_sum(mine.count), warp_min(mine.least)};
  if (lane() == 0 && all.count) atomicAdd(&sum, all.count);
  if (lane() == 0 && all.least != ~0ull) atomicMin(&least, all.least);
  __syncthreads();
  Tally* tally = s.tally(1);
  if (threadIdx.x == 0 && sum) atomicAdd(&tally->count, sum);
  if (threadIdx.x == 0 && least != ~0ull) atomicMin(&tally->least, least);
  agree(&s.state->arrived, (u64*)tally, s.words_seen, 4);
  s.lost = s.lost || s.words_seen[0] > (u64)s.capacity;
  s.queued = min(s.words_seen[0], (u64)s.capacity), s.queued_pieces = s.words_seen[1];
  s.count = s.words_seen[2], s.least = s.words_seen[3], s.done += s.queued;
  s.round++;
}
