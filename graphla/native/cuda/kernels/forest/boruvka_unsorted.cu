// Minimum edge of each vertex that leads out of its tree, from lists in any order: a warp looks at whole lists.
#include "boruvka.cuh"

extern "C" __global__ void lightest(i64 count, const i32* active, const Offset* ends, const i32* indices, const Cost* costs,
                                    const i32* tree, i32* goal, Cost* cost) {
  for (i64 i = warp(); i < count; i += warps()) {
    i32 v = active[i], best = -1;
    if (!enclosed(tree, goal, v)) continue;
    Cost least = 0;
    for (i64 p = ends[v] + lane(); p < ends[v + 1]; p += WARP)
      if (tree[indices[p]] != tree[v] && (best < 0 || costs[p] < least)) best = indices[p], least = costs[p];
    for (int d = WARP / 2; d; d /= 2) {
      i32 other = from_lane(best, lane() ^ d);
      Cost theirs = from_lane(least, lane() ^ d);
      if (other >= 0 && (best < 0 || theirs < least)) best = other, least = theirs;
    }
    if (lane() == 0) goal[v] = best, cost[v] = least;
  }
}
