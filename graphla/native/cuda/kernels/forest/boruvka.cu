// Boruvka's steps on flat arrays: each vertex has a tree, and an edge (vertex, goal) of a cost that leads out of it.
#include "rows.cuh"

struct Ways {
  const i32 *tree, *goal;
  const Cost* cost;
  // Whether the edge of a comes before that of b by (cost, src, dst).
  __device__ __forceinline__ bool before(i32 a, i32 b) const {
    if (cost[a] != cost[b]) return cost[a] < cost[b];
    i32 u = goal[a], v = goal[b], one = min(a, u), other = min(b, v);
    return one < other || (one == other && max(a, u) < max(b, v));
  }
};

// Each tree finds the vertex whose edge is the first.
extern "C" __global__ void choose(i64 count, const i32* active, const i32* tree, const i32* goal, const Cost* cost, i32* best) {
  const Ways ways = {tree, goal, cost};
  for (i64 i = thread(); i < count; i += threads()) {
    i32 v = active[i];
    if (goal[v] < 0) continue;
    i32 *mine = &best[tree[v]], least = __ldcg(mine);
    while (least < 0 || ways.before(v, least)) {
      i32 seen = atomicCAS(mine, least, v);
      if (seen == least) break;
      least = seen;
    }
  }
}

// Each tree hooks below the one that its edge leads to; of two that chose each other the smaller stays a root.
extern "C" __global__ void hook(i64 count, const i32* tree, const i32* goal, const i32* best, i32* parent, i32* src, i32* dst, u64* chosen) {
  for (i64 r = thread(); r < count; r += threads()) {
    i32 v = best[r];
    if (v < 0) continue;
    i32 other = tree[goal[v]], theirs = best[other];
    if (theirs >= 0 && tree[goal[theirs]] == r && (i32)r < other) continue;
    parent[r] = other;
    i64 k = append(chosen);
    src[k] = min(v, goal[v]), dst[k] = max(v, goal[v]);
  }
}

// Pointer jumping to the roots: all jump at once, each for itself.
extern "C" __global__ void merge(i64 count, i32* parent) {
  for (i64 r = thread(); r < count; r += threads())
    for (i32 p = __ldcg(&parent[r]), above; p != (above = __ldcg(&parent[p])); p = above) parent[r] = above;
}

extern "C" __global__ void smallest(i64 n, const i32* tree, i32* least) {
  for (i64 v = thread(); v < n; v += threads())
    if ((i32)v < __ldcg(&least[tree[v]])) atomicMin(&least[tree[v]], (i32)v);
}

// The entries of edges in a matrix.
extern "C" __global__ void entries(i64 count, const i32* src, const i32* dst, const Offset* indptr, const i32* indices, Offset* entry) {
  for (i64 k = thread(); k < count; k += threads()) entry[k] = find_entry(indptr, indices, src[k], dst[k]);
}
