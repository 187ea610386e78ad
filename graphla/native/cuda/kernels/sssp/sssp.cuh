// State of a search for shortest paths: the graph, distances, queues, the counts of a round; and what push and pull share.
//
// Defined before: Distance, Code, Offset.
#include "agree.cuh"
#include "distances.cuh"

typedef u32 Vertex;
enum : u32 { NONE = ~0u };

// A queued vertex with its distance at that time. It is ignored if the vertex has a smaller distance since.
struct alignas(2 * sizeof(Code)) Item {
  Code vertex, distance;
  static __device__ __forceinline__ Item of(Vertex v, Code distance) {
    Item item;
    item.vertex = v, item.distance = distance;
    return item;
  }
};
// Part of a long row: `count` edges from `begin` on, in the lower half of vertex_and_count, of the vertex in the upper half.
struct Piece {
  u64 begin, vertex_and_count, distance;
};

// Counts of one round. Three of them take turns: one is read, one is filled, one is cleared.
struct RoundCounts {
  u64 queued, pieces;         // for the next round
  u64 count, least_distance;  // what the phase counts; of what is queued or changed
  __device__ __forceinline__ void clear() { queued = pieces = count = 0, least_distance = ~0ull; }
};
// State of the grid in global memory.
struct State {
  u32 arrived, unused;
  RoundCounts counts[3];
};

struct Search {
  i64 n, nvals;
  Rows out, in;
  Code* distances;
  Item* queues;  // two, by parity of the round
  i64 queue_capacity;
  Piece* pieces;  // likewise
  i64 piece_capacity;
  State* state;
  Code infinity;
  Distance step;         // the bound is so much above the least queued distance
  i64 num_expandable;    // a light search expands the vertices below this number: those of higher degree
  u32 round;
  bool is_light;         // only the lightest edges are relaxed
  bool needs_pull;       // distances changed of vertices that are not queued
  bool has_larger_step;  // `step` is the one after a pull
  Code bound;            // items with a larger distance stay in the queue
  u64 queued, queued_pieces, count, least_distance;  // counts of the last round
  u64 total_queued;      // in all rounds
  Item* append_buffer;   // of this warp, in shared memory
  u64* round_counts;     // in shared memory: a copy of the counts of the last round
  i64 warp;              // a number of this warp such that consecutive numbers are in different blocks

  __device__ __forceinline__ RoundCounts* counts(int ahead) const { return &state->counts[(round + ahead) % 3]; }
  __device__ __forceinline__ Item* queue(int ahead) const { return queues + ((round + ahead) & 1) * queue_capacity; }
  __device__ __forceinline__ Piece* piece_list(int ahead) const { return pieces + ((round + ahead) & 1) * piece_capacity; }
};

// What a thread counts in a round, and the least distance that it queues or changes.
struct ThreadCounts {
  u64 count, least_distance;
};

// A phase of the search: not inlined, so that it has registers of its own.
#define PHASE __device__ __noinline__
#ifdef SIMULATED
#define IN_GLOBAL(p)
#else
#define IN_GLOBAL(p) __builtin_assume(__isGlobal(p))
#endif
// A copy of the search for a phase. Without the hints the compiler cannot know that the arrays are in global memory.
__device__ __forceinline__ Search copy_for_phase(const Search& caller_search) {
  Search search = caller_search;
  IN_GLOBAL(search.out.offsets); IN_GLOBAL(search.out.edges); IN_GLOBAL(search.in.offsets); IN_GLOBAL(search.in.edges);
  IN_GLOBAL(search.distances); IN_GLOBAL(search.queues); IN_GLOBAL(search.pieces); IN_GLOBAL(search.state);
  return search;
}

__device__ __forceinline__ u64 warp_min(u64 x) {
  for (int distance = WARP / 2; distance; distance /= 2) x = min(x, from_lane(x, lane() ^ distance));
  return x;
}

// Add the threads' counts to those of the round, wait for all blocks, read the sums and go to the next round.
PHASE void end_round(Search& search, ThreadCounts thread_counts) {
  __shared__ u64 block_count, block_least;
  if (threadIdx.x == 0) block_count = 0, block_least = ~0ull;
  __syncthreads();
  ThreadCounts warp_counts = {warp_sum(thread_counts.count), warp_min(thread_counts.least_distance)};
  if (lane() == 0 && warp_counts.count) atomicAdd(&block_count, warp_counts.count);
  if (lane() == 0 && warp_counts.least_distance != ~0ull) atomicMin(&block_least, warp_counts.least_distance);
  __syncthreads();
  RoundCounts* counts = search.counts(1);
  if (threadIdx.x == 0 && block_count) atomicAdd(&counts->count, block_count);
  if (threadIdx.x == 0 && block_least != ~0ull) atomicMin(&counts->least_distance, block_least);
  agree(&search.state->arrived, (u64*)counts, search.round_counts, 4);
  search.needs_pull = search.needs_pull || search.round_counts[0] > (u64)search.queue_capacity;
  search.queued = min(search.round_counts[0], (u64)search.queue_capacity), search.queued_pieces = search.round_counts[1];
  search.count = search.round_counts[2], search.least_distance = search.round_counts[3], search.total_queued += search.queued;
  search.round++;
}
