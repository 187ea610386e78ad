// Minimum edge of each vertex that leads out of its tree, from lists sorted by cost: a mark in each moves on.
#include "boruvka.cuh"

// Row k is that of vertex first + k.
extern "C" __global__ void lightest(i64 count, const i32* active, i64 first, const Offset* ends, const i32* indices, const Cost* costs,
                                    i64 iso, const i32* tree, Offset* mark, i32* goal, Cost* cost) {
  for (i64 base = warp() * WARP; base < count; base += warps() * WARP) {
    i64 i = base + lane();
    i32 v = i < count ? active[i] : 0;
    bool walks = i < count && enclosed(tree, goal, v);
    i64 end = walks ? ends[v - first + 1] : 0;
    i64 at = first_outside(Whole{indices}, tree, v, walks ? tree[v] : 0, walks ? mark[v - first] : 0, end);
    if (walks) {
      mark[v - first] = at, goal[v] = at < end ? indices[at] : -1;
      if (at < end) cost[v] = costs[iso ? 0 : at];
    }
  }
}
