// Boruvka's rounds over a list of edges that may join trees. An edge is identified by its rank in the order of weights; parent[v]
// leads to the root of v's tree, whose parent is the root itself.
//     lower_best_ranks   best(root) = the lowest rank of an edge that leaves its tree
//     hook_trees         the root hooks below the tree to which this edge leads; the edge is in the forest
//
// Work split: BATCH edges in flight per thread; a grid barrier after each step.
// Conflicts: best ranks by atomicMin. What changes between two barriers is read through the L1 cache, which a barrier invalidates:
// a reader finds the value of the last barrier or a later one. That is correct, as
//   - a root's parent changes only in hook_trees, in which no thread searches for roots. Elsewhere parent[v] is replaced by one of its
//     ancestors, so that old and new values lead to the same root, and no cycle arises;
//   - best ranks only decrease, so that a thread with an old one still tries to lower it.
//
// Defined before: Rank, Offset; SAMPLE, vertices whose trees are compared to find the largest; MIN_SAMPLED_EDGES, edges of a round
// from which this is done after it.
#include "agree.cuh"

typedef u32 Vertex;
const Rank NO_RANK = ~(Rank)0;
const Vertex NO_VERTEX = ~(Vertex)0;
enum { BATCH = 4 };

struct Edge {
  Vertex u, v;
  Rank rank;
  static __device__ __forceinline__ Edge of(Vertex u, Vertex v, Rank rank) {
    Edge edge;
    edge.u = u, edge.v = v, edge.rank = rank;
    return edge;
  }
};

// State of the grid in global memory. The sizes of three lists take turns: one is read, one is filled, one is cleared.
struct State {
  u32 arrived, unused;
  u64 list_sizes[3];
  u64 forest_size;   // edges
  u64 largest_tree;  // of a sample of vertices: how many are in one tree, above that tree's root
};

struct Search {
  i64 n, nvals;
  const i32* columns;
  const Edge* light_edges;  // those of the lowest ranks
  Vertex* parent;
  Rank* best_ranks;         // of each root; two arrays, by parity of the round
  Edge* lists;              // two, by parity of the round
  i64 list_capacity;
  Rank* forest;
  State* state;
  u32 round;
  Vertex passive_root;      // of the largest tree, which chooses no edge, as all its edges would update one word; or NO_VERTEX
  Edge* append_buffer;      // of this warp, in shared memory
  u64* shared_word;         // in shared memory

  // The list, its size or the best ranks of the round that is `ahead` rounds after the current one.
  __device__ __forceinline__ Edge* list(int ahead) const { return lists + ((round + ahead) & 1) * list_capacity; }
  __device__ __forceinline__ u64* list_size(int ahead) const { return &state->list_sizes[(round + ahead) % 3]; }
  __device__ __forceinline__ Rank* best(int ahead) const { return best_ranks + ((round + ahead) & 1) * n; }
  __device__ __forceinline__ Vertex above(Vertex v) const { return v == passive_root ? v : __ldca(&parent[v]); }
  // Barrier of all blocks; returns a word that they have changed.
  __device__ __forceinline__ u64 barrier_and_read(const u64* word) {
    agree(&state->arrived, word, shared_word, 1);
    return shared_word[0];
  }
};

// The root of v's tree. Shortens the path: the parent of each vertex on it becomes its grandparent.
__device__ __forceinline__ Vertex root_of(const Search& search, Vertex v) {
  Vertex p = search.above(v);
  for (Vertex above; p != (above = search.above(p)); v = p, p = above) search.parent[v] = above;
  return p;
}

// Replace each vertex by its root; the loads of the first two steps of all vertices are in flight together.
template <int COUNT> __device__ __forceinline__ void replace_by_roots(const Search& search, Vertex (&v)[COUNT]) {
  Vertex p[COUNT], above[COUNT];
#pragma unroll
  for (int k = 0; k < COUNT; k++) p[k] = search.above(v[k]);
#pragma unroll
  for (int k = 0; k < COUNT; k++) above[k] = search.above(p[k]);
#pragma unroll
  for (int k = 0; k < COUNT; k++) {
    if (p[k] != above[k]) search.parent[v[k]] = p[k] = root_of(search, above[k]);
    v[k] = p[k];
  }
}

// Item k of this lane in the warp's part of a list, which begins at `base`.
__device__ __forceinline__ i64 item(i64 base, int k) { return base + k * WARP + lane(); }

// The edges between two trees lower the best ranks of both, and are listed for the next round with the roots as ends; the others are
// dropped. In the first round, over the light edges, every vertex is a tree.
__device__ __noinline__ void lower_best_ranks(const Search& caller_search, i64 size, bool is_first) {
  const Search search = caller_search;
  AppendBuffer<Edge> buffer(search.append_buffer, search.list_size(1), search.list(1), search.list_capacity);
  const Edge* list = is_first ? search.light_edges : search.list(0);
  Rank* best = search.best(0);
#pragma unroll 1
  for (i64 base = warp() * WARP * BATCH; base < size; base += warps() * WARP * BATCH) {
    Vertex end[2 * BATCH];  // edge k has the ends 2 k and 2 k + 1
    Rank rank[BATCH], old_best[2 * BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      i64 i = item(base, k);
      bool has_edge = i < size;
      end[2 * k] = has_edge ? __ldca(&list[i].u) : 0, end[2 * k + 1] = has_edge ? __ldca(&list[i].v) : 0;
      rank[k] = has_edge ? __ldca(&list[i].rank) : 0;
    }
    if (!is_first) replace_by_roots(search, end);
#pragma unroll
    for (int k = 0; k < 2 * BATCH; k++) old_best[k] = end[k] != end[k ^ 1] && end[k] != search.passive_root ? __ldca(&best[end[k]]) : 0;
#pragma unroll
    for (int k = 0; k < 2 * BATCH; k++)
      if (rank[k / 2] < old_best[k] && rank[k / 2] < __ldcg(&best[end[k]])) atomicMin(&best[end[k]], rank[k / 2]);
#pragma unroll
    for (int k = 0; k < BATCH; k++) buffer.append(end[2 * k] != end[2 * k + 1], Edge::of(end[2 * k], end[2 * k + 1], rank[k]));
  }
  buffer.flush_block();
}

// For each listed edge that is the best of an end: hook this root below the other one. If both ends chose the edge, the smaller
// remains a root. Clears the best ranks for the next round of all roots that have an edge.
__device__ __noinline__ void hook_trees(const Search& caller_search, i64 size) {
  const Search search = caller_search;
  AppendBuffer<Rank> buffer(search.append_buffer, &search.state->forest_size, search.forest, search.n);
  const Edge* list = search.list(1);
  Rank *best = search.best(0), *next_best = search.best(1);
  if (thread() == 0) search.state->largest_tree = 0;
  if (thread() == 0 && search.passive_root != NO_VERTEX) next_best[search.passive_root] = NO_RANK;
#pragma unroll 1
  for (i64 base = warp() * WARP * BATCH; base < size; base += warps() * WARP * BATCH) {
    Vertex end[2 * BATCH];
    Rank rank[BATCH];
    bool is_chosen[2 * BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      i64 i = item(base, k);
      bool has_edge = i < size;
      end[2 * k] = has_edge ? __ldca(&list[i].u) : search.passive_root, end[2 * k + 1] = has_edge ? __ldca(&list[i].v) : search.passive_root;
      rank[k] = has_edge ? __ldca(&list[i].rank) : 0;
    }
#pragma unroll
    for (int k = 0; k < 2 * BATCH; k++)
      is_chosen[k] = item(base, k / 2) < size && end[k] != search.passive_root && __ldca(&best[end[k]]) == rank[k / 2];
#pragma unroll
    for (int k = 0; k < 2 * BATCH; k++)
      if (is_chosen[k]) {
        next_best[end[k]] = NO_RANK;
        if (!(is_chosen[k ^ 1] && end[k] < end[k ^ 1])) search.parent[end[k]] = end[k ^ 1];
      }
#pragma unroll
    for (int k = 0; k < BATCH; k++) buffer.append(is_chosen[2 * k] || is_chosen[2 * k + 1], rank[k]);
  }
  buffer.flush_block();
}

// The root of the tree that has most of SAMPLE vertices, if it has more than one in `share` of them; else NO_VERTEX. The vertices are
// ends of edges at equal distances. Block 0 counts.
__device__ __noinline__ Vertex find_largest_tree(Search& search, u64 share) {
  __shared__ Vertex roots[SAMPLE];
  if (blockIdx.x == 0) {
    for (int k = threadIdx.x; k < SAMPLE; k += blockDim.x)
      roots[k] = root_of(search, search.columns[k * (search.nvals / SAMPLE) + k * (search.nvals % SAMPLE) / SAMPLE]);
    __syncthreads();
    for (int k = threadIdx.x; k < SAMPLE; k += blockDim.x) {
      u32 count = 0;
      for (int j = 0; j < SAMPLE; j++) count += roots[j] == roots[k];
      atomicMax(&search.state->largest_tree, (u64)count << 32 | roots[k]);
    }
  }
  u64 largest_tree = search.barrier_and_read(&search.state->largest_tree);
  return (largest_tree >> 32) * share > SAMPLE ? (Vertex)largest_tree : NO_VERTEX;
}

// Run Boruvka's rounds over a list of `size` edges: the light ones if this is the first list.
__device__ __forceinline__ void span(Search& search, i64 size, bool is_first) {
  while (size) {
    if (thread() == 0) *search.list_size(2) = 0;
    lower_best_ranks(search, size, is_first);
    size = search.barrier_and_read(search.list_size(1));
    hook_trees(search, size);
    grid_barrier(&search.state->arrived);
    if (size > MIN_SAMPLED_EDGES) search.passive_root = find_largest_tree(search, 8);
    search.round++, is_first = false;
  }
}
