// Lightest edge of each active vertex out of its tree, from lists sorted by cost:  the first neighbour in another tree. Edges inside
// a tree stay inside, so that a scan begins at the place where the last one stopped (scan_begins).
//
// Work split: one vertex per lane, long scans by the warp (boruvka.cuh). Conflicts: none; a lane writes its own vertex.
// Memory: the tree of the vertex and of its goal; each list is read once in all rounds, with the tree of each neighbour.
// Source: A. Kolganov, 2015.
#include "boruvka.cuh"

// Row k is that of vertex first_vertex + k. With `iso` all costs are costs[0].
extern "C" __global__ void find_lightest_edges(i64 count, const i32* active_vertices, i64 first_vertex, const Offset* offsets, const i32* columns,
                                               const Cost* costs, i64 iso, const i32* tree, Offset* scan_begins, i32* goal, Cost* cost) {
  for (i64 base = warp() * WARP; base < count; base += warps() * WARP) {
    i64 i = base + lane();
    i32 v = i < count ? active_vertices[i] : 0;
    bool scans = i < count && edge_is_inside(tree, goal, v);
    i64 end = scans ? offsets[v - first_vertex + 1] : 0;
    i64 p = first_outside(PlainLists{columns}, tree, v, scans ? tree[v] : 0, scans ? scan_begins[v - first_vertex] : 0, end);
    if (scans) {
      scan_begins[v - first_vertex] = p, goal[v] = p < end ? columns[p] : -1;
      if (p < end) cost[v] = costs[iso ? 0 : p];
    }
  }
}
