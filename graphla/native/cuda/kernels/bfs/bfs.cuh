// State of a breadth-first search: the graph, the tree, the visited bits, the queued frontier and the counts of a level; and
// what push and pull share: claims, queued rows, the end of a level.
//
// Defined before: Offset, HAS_HOST_ROWS, HUB_WORDS.
#include "grid.cuh"
#include "bits.cuh"
#include "bfs_rows.cuh"

// Counts of one level. Three of them take turns with the levels that all blocks run: one is read, one is filled, one is
// cleared. The fourth is for levels that the first block runs alone, as other blocks may still read the last common ones.
struct LevelCounts {
  u64 found, edges;                   // new vertices, and their out-edges
  u64 queued_pieces;                  // of the new vertices' rows
  u64 unresolved, unresolved_pieces;  // vertices, and pieces of their rows, left for a later pass of a pull
  __device__ __forceinline__ void clear() { found = edges = queued_pieces = unresolved = unresolved_pieces = 0; }
};

// The search between two levels.
struct Progress {
  i64 level, unvisited, unvisited_edges;              // of the frontier; vertices; their out-edges
  i64 frontier_size, frontier_edges, frontier_pieces;  // vertices, out-edges, queued pieces of rows
  i64 previous_edges;                                 // out-edges of the previous frontier
};

// State of the grid in global memory.
struct State {
  u32 arrived, unused;
  Progress progress;  // after levels that the first block, or a cluster, ran alone
  LevelCounts counts[4];
};

// The part of the tree that one level finds.
struct TreeLevel {
  u32 *nodes, level_bits;
  bool is_deep;  // the level does not fit in level_bits
  __device__ __forceinline__ void record(i64 v, Vertex parent) const;
  __device__ __forceinline__ bool contains(i64 v) const;  // v must be visited
};

struct Search {
  int n;
  Rows out, in;
  const u64* first_two;  // in-neighbours of each vertex, the second one with the mark HAS_MORE
  u32* tree;             // of each visited vertex: its level in the bits from level_shift on, its parent below
  u32* deep_levels;      // the level, if those bits are all ones
  u32* visited_bits;     // two copies: pull reads one and writes the other
  int current_copy;
  Piece* queues;         // two frontiers, by parity of the level
  i64 queue_capacity;
  Vertex* unresolved;    // vertices left for a later pass of a pull
  State* state;
  int level_shift;
  Progress progress;
  u32 common_levels;     // levels that all blocks ran so far
  bool is_one_block;     // the first block runs this level alone
  i64 pieces_left;       // unresolved pieces of this level
  Piece* append_buffers;  // in shared memory, one for each warp
  u32* hub_bits;          // in shared memory: copy of the first visited words

  // The counts, queue or tree level of the level that is `ahead` levels after the current one.
  __device__ __forceinline__ LevelCounts* counts(int ahead) const {
    return &in_global(state)->counts[is_one_block ? 3 : (common_levels + ahead) % 3];
  }
  __device__ __forceinline__ int num_words() const { return (int)(((u32)n + 31) / 32); }
  __device__ __forceinline__ int copy_words() const { return num_words() + num_words() % 2; }  // two words are read at once
  __device__ __forceinline__ u32* visited() const { return in_global(visited_bits + current_copy * copy_words()); }
  __device__ __forceinline__ u32* other_visited() const { return in_global(visited_bits + (1 - current_copy) * copy_words()); }
  __device__ __forceinline__ Piece* queue(int ahead) const { return in_global(queues + ((progress.level + ahead) & 1) * queue_capacity); }
  __device__ __forceinline__ Piece* append_buffer() const {
    return in_shared(append_buffers + threadIdx.x / WARP * AppendBuffer<Piece>::CAPACITY);
  }
  __device__ __forceinline__ TreeLevel tree_level(u32 level) const {
    const u32 deep = (1ll << (32 - level_shift)) - 1;
    return {tree, min(level, deep) << level_shift, level >= deep};
  }
  __device__ __forceinline__ TreeLevel next_tree_level() const { return tree_level(progress.level + 1); }
};

// One copy for the block, as a copy in each thread would be in slow local memory. Only the first thread of the block changes
// it, between two barriers.
__shared__ Search search;

__device__ __forceinline__ void TreeLevel::record(i64 v, Vertex parent) const {
  in_global(nodes)[v] = level_bits | parent;
  if (is_deep) in_global(search.deep_levels)[v] = search.progress.level + 1;
}

__device__ __forceinline__ bool TreeLevel::contains(i64 v) const {
  return (__ldcg(&nodes[v]) ^ level_bits) >> search.level_shift == 0 && (!is_deep || __ldcg(&search.deep_levels[v]) == search.progress.level);
}

// Barrier of all blocks; returns a word that they have added to. One thread of each block reads it: reads of one address by all
// threads would be serialised.
__device__ __forceinline__ i64 barrier_and_read(const u64* word) {
  __shared__ u64 value;
  __syncthreads();
  if (threadIdx.x == 0) {
    wait_for_blocks(&search.state->arrived);
    value = __ldcg(word);
  }
  __syncthreads();
  return value;
}

// Visited bits. Those of the first hub_words words, which are read most often, are read in shared memory.
struct Visited {
  u32 *hub_bits, *bits, hub_words;
  __device__ __forceinline__ bool is_hub(Vertex u) const { return u >> 5 < hub_words; }
  __device__ __forceinline__ bool contains(Vertex u) const { return bit(is_hub(u) ? hub_word(u) : global_word(u), u); }
  // Bit k of the result: u[k] is visited (NONE is not). All words are loaded before the first is used.
  template <int N> __device__ __forceinline__ u32 which(const Vertex (&u)[N]) const {
    u32 word[N], visited = 0;
#pragma unroll
    for (int k = 0; k < N; k++) word[k] = u[k] != NONE && !is_hub(u[k]) ? global_word(u[k]) : 0;
#pragma unroll
    for (int k = 0; k < N; k++)
      if (is_hub(u[k])) word[k] = hub_word(u[k]);
#pragma unroll
    for (int k = 0; k < N; k++) visited |= (u32)bit(word[k], u[k]) << k;
    return visited;
  }
  __device__ __forceinline__ u32 hub_word(Vertex u) const { return hub_bits[u >> 5]; }
  __device__ __forceinline__ u32 global_word(Vertex u) const { return __ldcg(&bits[u >> 5]); }
  static __device__ __forceinline__ bool bit(u32 word, Vertex u) { return word >> (u & 31) & 1; }
};

__device__ __forceinline__ Visited visited_with_hubs() {
  return {in_shared(search.hub_bits), search.visited(), min((u32)HUB_WORDS, (u32)search.num_words()) & ~1u};
}
__device__ __forceinline__ Visited visited_without_hubs() { return {in_shared(search.hub_bits), search.visited(), 0}; }
// Copy the hubs' visited bits to shared memory; all threads of the block must call this.
__device__ __forceinline__ void cache_hubs() {
  const Visited visited = visited_with_hubs();
  const u64* words = (const u64*)visited.bits;
#pragma unroll 8
  for (int w = threadIdx.x; w < visited.hub_words / 2; w += blockDim.x) ((u64*)visited.hub_bits)[w] = __ldcg(&words[w]);
  __syncthreads();
}

// Set the bit of v; returns whether it was not set before.
__device__ __forceinline__ bool claim(u32* bits, Vertex v) {
  u32 bit = 1u << (v & 31);
  return !(atomicOr(&bits[v >> 5], bit) & bit);
}

// A number of this thread such that consecutive warps are in different blocks: a short list keeps all blocks busy.
__device__ __forceinline__ i64 block_interleaved_thread() { return ((i64)(threadIdx.x / WARP) * gridDim.x + blockIdx.x) * WARP + lane(); }

// Queue entries begin..end-1 of each lane's vertex, in pieces of PIECE. A range of one piece passes the buffer; the pieces of
// longer ones are distributed over the lanes. All lanes of the warp must call this.
__device__ __forceinline__ void queue_range(AppendBuffer<Piece>& buffer, bool has_vertex, Vertex v, i64 begin, i64 end) {
  i64 count = end - begin;
  buffer.append(has_vertex && count > 0 && count <= PIECE, Piece::of(v, begin, count));
  int pieces = has_vertex && count > PIECE ? (int)((count + PIECE - 1) / PIECE) : 0;
  u32 lanes_with_pieces = ballot(pieces);
  if (!lanes_with_pieces) return;
  int end_piece = warp_scan(pieces);
  u64 first = 0;
  if (lane() == WARP - 1) first = atomicAdd(buffer.count, (u64)end_piece);
  first = from_lane(first, WARP - 1);
  int warp_pieces = from_lane(end_piece, WARP - 1);
#pragma unroll 1
  for (int base = 0; base < warp_pieces; base += WARP) {
    int i = base + lane(), owner = owner_lane(end_piece, i);
    i64 row_begin = from_lane(begin, owner), row_count = from_lane(count, owner);
    i64 offset = (i64)(i - from_lane(end_piece - pieces, owner)) * PIECE;
    Vertex owner_vertex = from_lane(v, owner);
    if (i < warp_pieces && (i64)first + i < buffer.capacity)
      buffer.list[first + i] = Piece::of(owner_vertex, row_begin + offset, min((i64)PIECE, row_count - offset));
  }
}

__device__ __forceinline__ void queue_row(AppendBuffer<Piece>& buffer, bool has_vertex, Vertex v) {
  queue_range(buffer, has_vertex, v, has_vertex ? search.out.begin(v) : 0, has_vertex ? search.out.end(v) : 0);
  if (HAS_HOST_ROWS) queue_range(buffer, has_vertex, v, has_vertex ? search.out.host_begin(v) : 0, has_vertex ? search.out.host_end(v) : 0);
}

// New vertices that a thread found in a level, and their edges if the level counts them.
struct ThreadCounts {
  u64 vertices, edges;
};

// The counts of all threads.
struct LevelTotals {
  u64 found, edges, queued_pieces, unresolved_pieces;
};

// Add the counts of a block's threads to those of the level; wait for all blocks, or with `is_one_block` for this one only;
// then the first thread of each block calls update(totals), which changes the block's copy of the search.
template <class Update>
__device__ __forceinline__ void end_level(LevelCounts* counts, ThreadCounts thread_counts, bool is_one_block, Update update) {
  __shared__ u64 block_counts[2];
  if (threadIdx.x == 0) block_counts[0] = block_counts[1] = 0;
  __syncthreads();
  if (ballot(thread_counts.vertices || thread_counts.edges)) {
    u64 found = warp_sum(thread_counts.vertices), edges = warp_sum(thread_counts.edges);
    if (lane() == 0) {
      atomicAdd(&block_counts[0], found);
      atomicAdd(&block_counts[1], edges);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    if (block_counts[0]) atomicAdd(&counts->found, block_counts[0]);
    if (block_counts[1]) atomicAdd(&counts->edges, block_counts[1]);
    if (!is_one_block) wait_for_blocks(&search.state->arrived);
    update(LevelTotals{__ldcg(&counts->found), __ldcg(&counts->edges), __ldcg(&counts->queued_pieces), __ldcg(&counts->unresolved_pieces)});
  }
  __syncthreads();
}
