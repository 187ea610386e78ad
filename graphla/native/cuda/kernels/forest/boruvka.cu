// Steps of Boruvka's minimum spanning forest on flat arrays. tree[v] is the tree of vertex v, (v, goal[v]) its lightest edge out of
// the tree, of cost[v]; goal[v] < 0: it has none.
//     choose_edges   best(t) = the vertex of tree t whose edge is the lightest
//     hook_trees     parent(t) = the tree to which the edge of best(t) leads; the edge is in the forest
//     find_roots     parent(t) = the root above t
//
// Work split: one vertex, tree or edge per thread.
// Conflicts: best(t) by compare-and-swap. In find_roots a thread writes its own parent only; what others read is an ancestor.
// Memory: a few words per vertex or tree, at random; lists are read by boruvka_sorted.cu, boruvka_unsorted.cu or boruvka_bytes.cu.
// Source: A. Kolganov, 2015.
//
// Defined before: Cost, Offset.
#include "rows.cuh"

struct VertexEdges {
  const i32 *tree, *goal;
  const Cost* cost;
  // Whether the edge of vertex a comes before that of b by (cost, smaller end, larger end), which makes the order strict.
  __device__ __forceinline__ bool precedes(i32 a, i32 b) const {
    if (cost[a] != cost[b]) return cost[a] < cost[b];
    i32 a_goal = goal[a], b_goal = goal[b], a_low = min(a, a_goal), b_low = min(b, b_goal);
    return a_low < b_low || (a_low == b_low && max(a, a_goal) < max(b, b_goal));
  }
};

// best[t] < 0: tree t has no edge.
extern "C" __global__ void choose_edges(i64 count, const i32* active_vertices, const i32* tree, const i32* goal, const Cost* cost, i32* best) {
  const VertexEdges edges = {tree, goal, cost};
  for (i64 i = thread(); i < count; i += threads()) {
    i32 v = active_vertices[i];
    if (goal[v] < 0) continue;
    i32 *tree_best = &best[tree[v]], current = __ldcg(tree_best);
    while (current < 0 || edges.precedes(v, current)) {
      i32 seen = atomicCAS(tree_best, current, v);
      if (seen == current) break;
      current = seen;
    }
  }
}

// If two trees chose each other, the smaller one remains a root, and only the other one adds the edge.
extern "C" __global__ void hook_trees(i64 num_trees, const i32* tree, const i32* goal, const i32* best, i32* parent, i32* src, i32* dst,
                                      u64* num_edges) {
  for (i64 t = thread(); t < num_trees; t += threads()) {
    i32 v = best[t];
    if (v < 0) continue;
    i32 other_tree = tree[goal[v]], other_best = best[other_tree];
    if (other_best >= 0 && tree[goal[other_best]] == t && (i32)t < other_tree) continue;
    parent[t] = other_tree;
    i64 k = append(num_edges);
    src[k] = min(v, goal[v]), dst[k] = max(v, goal[v]);
  }
}

// Pointer jumping.
extern "C" __global__ void find_roots(i64 num_trees, i32* parent) {
  for (i64 t = thread(); t < num_trees; t += threads())
    for (i32 p = __ldcg(&parent[t]), above; p != (above = __ldcg(&parent[p])); p = above) parent[t] = above;
}

extern "C" __global__ void find_smallest_vertices(i64 n, const i32* tree, i32* smallest) {
  for (i64 v = thread(); v < n; v += threads())
    if ((i32)v < __ldcg(&smallest[tree[v]])) atomicMin(&smallest[tree[v]], (i32)v);
}

// The matrix entry of each edge.
extern "C" __global__ void find_edge_entries(i64 count, const i32* src, const i32* dst, const Offset* indptr, const i32* indices, Offset* entries) {
  for (i64 k = thread(); k < count; k += threads()) entries[k] = find_entry(indptr, indices, src[k], dst[k]);
}
