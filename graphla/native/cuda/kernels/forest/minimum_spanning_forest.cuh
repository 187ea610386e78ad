// A forest in progress: trees under a root each, and edges that may join them. Edges are named by their ranks.
//
// What changes between two barriers is read through the first cache, which a barrier empties, so that a reader may
// find what was there at the last barrier or anything written since. Parents: roots change in `hook` alone, where
// nobody looks for one; elsewhere parent[v] becomes what is above v, so that old and new values lead up to the same
// root, and nobody goes round. Best ranks: they sink, so that an old one stops no rank that would be the lowest.
#include "agree.cuh"

typedef u32 Vertex;
const Rank NONE = ~(Rank)0;
const Vertex NOBODY = ~(Vertex)0;
enum { BATCH = 4 };  // edges that a thread has in flight

struct Edge {
  Vertex u, v;
  Rank rank;
  static __device__ __forceinline__ Edge of(Vertex u, Vertex v, Rank rank) {
    Edge e;
    e.u = u, e.v = v, e.rank = rank;
    return e;
  }
};

// Lists of edges take turns: one is read, one is filled, and the count of one is cleared.
struct State {
  u32 arrived, unused;
  u64 counts[3];
  u64 chosen;   // edges of the forest
  u64 largest;  // of a sample: how many are in one tree, above the tree's root
};

struct Search {
  i64 n, nvals;
  const i32* indices;
  const Edge* light;  // the edges of the lowest ranks
  Vertex* parent;     // the root of a tree is its own
  Rank* best;         // of each root: the lowest rank that leaves its tree, by parity of the round
  Edge* lists;        // by parity of the round
  i64 capacity;
  Rank* forest;
  State* state;
  u32 round;
  Vertex waits;       // the root of a tree that does not choose: all would ask for its best at once
  Edge* buffer;       // of this warp, in shared memory
  u64* words_seen;    // in shared memory

  __device__ __forceinline__ Edge* list(int ahead) const { return lists + ((round + ahead) & 1) * capacity; }
  __device__ __forceinline__ u64* count(int ahead) const { return &state->counts[(round + ahead) % 3]; }
  __device__ __forceinline__ Rank* lowest(int ahead) const { return best + ((round + ahead) & 1) * n; }
  __device__ __forceinline__ Vertex above(Vertex v) const { return v == waits ? v : __ldca(&parent[v]); }
  // Wait for all blocks; return a word that they have changed.
  __device__ __forceinline__ u64 agree(const u64* word) {
    ::agree(&state->arrived, word, words_seen, 1);
    return words_seen[0];
  }
};

// The root of v's tree; on the way every other vertex is tied to what is above its parent.
__device__ __forceinline__ Vertex root_of(const Search& s, Vertex v) {
  Vertex p = s.above(v);
  for (Vertex above; p != (above = s.above(p)); v = p, p = above) s.parent[v] = above;
  return p;
}

// Likewise for many: the first two steps of all are in flight together.
template <int COUNT> __device__ __forceinline__ void roots_of(const Search& s, Vertex (&v)[COUNT]) {
  Vertex p[COUNT], above[COUNT];
#pragma unroll
  for (int k = 0; k < COUNT; k++) p[k] = s.above(v[k]);
#pragma unroll
  for (int k = 0; k < COUNT; k++) above[k] = s.above(p[k]);
#pragma unroll
  for (int k = 0; k < COUNT; k++) {
    if (p[k] != above[k]) s.parent[v[k]] = p[k] = root_of(s, above[k]);
    v[k] = p[k];
  }
}

// Item k of a warp's part of a list, which begins at `base`, for this lane.
__device__ __forceinline__ i64 item(i64 base, int k) { return base + k * WARP + lane(); }

// Minimum edge: each tree learns the lowest rank among the edges that leave it. These are listed under the
// roots that they join. In the first round, of light edges, every vertex is a tree.
__device__ __noinline__ void lightest(const Search& search, i64 size, bool first) {
  const Search s = search;
  AppendBuffer<Edge> stage(s.buffer, s.count(1), s.list(1), s.capacity);
  const Edge* list = first ? s.light : s.list(0);
  Rank* best = s.lowest(0);
#pragma unroll 1
  for (i64 base = warp() * WARP * BATCH; base < size; base += warps() * WARP * BATCH) {
    Vertex end[2 * BATCH];
    Rank rank[BATCH], least[2 * BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      i64 i = item(base, k);
      bool has = i < size;
      end[2 * k] = has ? __ldca(&list[i].u) : 0, end[2 * k + 1] = has ? __ldca(&list[i].v) : 0;
      rank[k] = has ? __ldca(&list[i].rank) : 0;
    }
    if (!first) roots_of(s, end);
#pragma unroll
    for (int k = 0; k < 2 * BATCH; k++) least[k] = end[k] != end[k ^ 1] && end[k] != s.waits ? __ldca(&best[end[k]]) : 0;
#pragma unroll
    for (int k = 0; k < 2 * BATCH; k++)
      if (rank[k / 2] < least[k] && rank[k / 2] < __ldcg(&best[end[k]])) atomicMin(&best[end[k]], rank[k / 2]);
#pragma unroll
    for (int k = 0; k < BATCH; k++) stage.append(end[2 * k] != end[2 * k + 1], Edge::of(end[2 * k], end[2 * k + 1], rank[k]));
  }
  stage.flush_block();
}

// Each tree hooks below the one that its edge leads to; of two that chose the same edge the smaller root stays
// one. The other best ranks of all that have an edge are cleared for the next round.
__device__ __noinline__ void hook(const Search& search, i64 size) {
  const Search s = search;
  AppendBuffer<Rank> stage(s.buffer, &s.state->chosen, s.forest, s.n);
  const Edge* list = s.list(1);
  Rank *best = s.lowest(0), *cleared = s.lowest(1);
  if (thread() == 0) s.state->largest = 0;
  if (thread() == 0 && s.waits != NOBODY) cleared[s.waits] = NONE;
#pragma unroll 1
  for (i64 base = warp() * WARP * BATCH; base < size; base += warps() * WARP * BATCH) {
    Vertex end[2 * BATCH];
    Rank rank[BATCH];
    bool by[2 * BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      i64 i = item(base, k);
      bool has = i < size;
      end[2 * k] = has ? __ldca(&list[i].u) : s.waits, end[2 * k + 1] = has ? __ldca(&list[i].v) : s.waits;
      rank[k] = has ? __ldca(&list[i].rank) : 0;
    }
#pragma unroll
    for (int k = 0; k < 2 * BATCH; k++) by[k] = item(base, k / 2) < size && end[k] != s.waits && __ldca(&best[end[k]]) == rank[k / 2];
#pragma unroll
    for (int k = 0; k < 2 * BATCH; k++)
      if (by[k]) {
        cleared[end[k]] = NONE;
        if (!(by[k ^ 1] && end[k] < end[k ^ 1])) s.parent[end[k]] = end[k ^ 1];
      }
#pragma unroll
    for (int k = 0; k < BATCH; k++) stage.append(by[2 * k] || by[2 * k + 1], rank[k]);
  }
  stage.flush_block();
}

// The root of the tree that most entries of a sample lead to, where that is one in `share`, or nobody.
__device__ __noinline__ Vertex largest_tree(Search& s, u64 share) {
  __shared__ Vertex roots[SAMPLE];
  if (blockIdx.x == 0) {
    for (int k = threadIdx.x; k < SAMPLE; k += blockDim.x) roots[k] = root_of(s, s.indices[k * (s.nvals / SAMPLE) + k * (s.nvals % SAMPLE) / SAMPLE]);
    __syncthreads();
    for (int k = threadIdx.x; k < SAMPLE; k += blockDim.x) {
      u32 same = 0;
      for (int j = 0; j < SAMPLE; j++) same += roots[j] == roots[k];
      atomicMax(&s.state->largest, (u64)same << 32 | roots[k]);
    }
  }
  u64 found = s.agree(&s.state->largest);
  return (found >> 32) * share > SAMPLE ? (Vertex)found : NOBODY;
}

// Boruvka's rounds over a list of so many edges.
__device__ __forceinline__ void span(Search& s, i64 size, bool first) {
  while (size) {
    if (thread() == 0) *s.count(2) = 0;
    lightest(s, size, first);
    size = s.agree(s.count(1));
    hook(s, size);
    grid_barrier(&s.state->arrived);
    if (size > MANY) s.waits = largest_tree(s, 8);
    s.round++, first = false;
  }
}
