// A forest in progress: trees under a root each, and edges that may join them. Edges are named by their ranks.
#include "agree.cuh"

typedef u32 Vertex;
const Rank NONE = ~(Rank)0;

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
  i64 n;
  const Vertex* light;  // both ends of the edges of the lowest ranks
  Vertex* parent;       // the root of a tree is its own
  Rank* best;           // of each root: the lowest rank that leaves its tree, by parity of the round
  Edge* lists;          // by parity of the round
  i64 capacity;
  Rank* forest;
  State* state;
  u32 round;
  Edge* buffer;         // of this warp, in shared memory
  u64* words_seen;      // in shared memory

  __device__ __forceinline__ Edge* list(int ahead) const { return lists + ((round + ahead) & 1) * capacity; }
  __device__ __forceinline__ u64* count(int ahead) const { return &state->counts[(round + ahead) % 3]; }
  __device__ __forceinline__ Rank* lowest(int ahead) const { return best + ((round + ahead) & 1) * n; }
  // Wait for all blocks; return a word that they have changed.
  __device__ __forceinline__ u64 agree(const u64* word) {
    ::agree(&state->arrived, word, words_seen, 1);
    return words_seen[0];
  }
};

// The root of v's tree; on the way every other vertex is tied to what is above its parent.
__device__ __forceinline__ Vertex root_of(Vertex* parent, Vertex v) {
  Vertex p = __ldcg(&parent[v]);
  for (Vertex above; p != (above = __ldcg(&parent[p])); v = p, p = above) parent[v] = above;
  return p;
}

// Minimum edge: each tree learns the lowest rank among the edges that leave it. These are listed under the
// roots that they join. In the first round, of light edges, every vertex is a tree.
__device__ __noinline__ void lightest(const Search& search, i64 size, bool first) {
  const Search s = search;
  Stage<Edge> stage(s.buffer, s.count(1), s.list(1), s.capacity);
  const Edge* list = s.list(0);
  Rank* best = s.lowest(0);
#pragma unroll 1
  for (i64 i = thread(); i < whole_warps(size); i += threads()) {
    Edge e = Edge::of(0, 0, 0);
    if (i < size && first) e = Edge::of(s.light[2 * i], s.light[2 * i + 1], i);
    else if (i < size) {
      e = Edge::of(__ldcg(&list[i].u), __ldcg(&list[i].v), __ldcg(&list[i].rank));
      e.u = root_of(s.parent, e.u), e.v = root_of(s.parent, e.v);
    }
    bool joins = e.u != e.v;
    if (joins && e.rank < __ldcg(&best[e.u])) atomicMin(&best[e.u], e.rank);
    if (joins && e.rank < __ldcg(&best[e.v])) atomicMin(&best[e.v], e.rank);
    stage.push(joins, e);
  }
  stage.finish();
}

// Each tree hooks below the one that its edge leads to; of two that chose the same edge the smaller root stays
// one. The other best ranks are cleared for the next round.
__device__ __noinline__ void hook(const Search& search, i64 size) {
  const Search s = search;
  Stage<Rank> stage(s.buffer, &s.state->chosen, s.forest, s.n);
  const Edge* list = s.list(1);
  Rank *best = s.lowest(0), *cleared = s.lowest(1);
#pragma unroll 1
  for (i64 i = thread(); i < whole_warps(size); i += threads()) {
    bool by_u = false, by_v = false;
    Rank rank = 0;
    if (i < size) {
      Vertex u = __ldcg(&list[i].u), v = __ldcg(&list[i].v);
      rank = __ldcg(&list[i].rank);
      by_u = __ldcg(&best[u]) == rank, by_v = __ldcg(&best[v]) == rank;
      if (by_u && !(by_v && u < v)) s.parent[u] = v;
      if (by_v && !(by_u && v < u)) s.parent[v] = u;
      cleared[u] = cleared[v] = NONE;
    }
    stage.push(by_u || by_v, rank);
  }
  stage.finish();
}

// Boruvka's rounds over a list of so many edges.
__device__ __forceinline__ void span(Search& s, i64 size, bool first) {
  while (size) {
    if (thread() == 0) *s.count(2) = 0;
    lightest(s, size, first);
    size = s.agree(s.count(1));
    hook(s, size);
    grid_barrier(&s.state->arrived);
    s.round++, first = false;
  }
}
