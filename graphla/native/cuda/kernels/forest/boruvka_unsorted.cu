// Lightest edge of each active vertex out of its tree, from lists in any order:  the minimum over the whole list.
//
// Work split: a warp reads a list and reduces the lanes' minima. Conflicts: none; a warp writes its own vertex.
// Memory: in each round the lists of vertices whose last edge is inside their tree, with the tree of each neighbour.
// Source: A. Kolganov, 2015.
#include "boruvka.cuh"

extern "C" __global__ void find_lightest_edges(i64 count, const i32* active_vertices, const Offset* offsets, const i32* columns, const Cost* costs,
                                               const i32* tree, i32* goal, Cost* cost) {
  for (i64 i = warp(); i < count; i += warps()) {
    i32 v = active_vertices[i], best = -1;
    if (!edge_is_inside(tree, goal, v)) continue;
    Cost best_cost = 0;
    for (i64 p = offsets[v] + lane(); p < offsets[v + 1]; p += WARP)
      if (tree[columns[p]] != tree[v] && (best < 0 || costs[p] < best_cost)) best = columns[p], best_cost = costs[p];
    for (int distance = WARP / 2; distance; distance /= 2) {
      i32 other_best = from_lane(best, lane() ^ distance);
      Cost other_cost = from_lane(best_cost, lane() ^ distance);
      if (other_best >= 0 && (best < 0 || other_cost < best_cost)) best = other_best, best_cost = other_cost;
    }
    if (lane() == 0) goal[v] = best, cost[v] = best_cost;
  }
}
