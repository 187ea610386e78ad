// Minimum edge of each vertex that leads out of its tree, from two sorted lists: of near neighbours, and of others.
#include "boruvka.cuh"

extern "C" __global__ void lightest(i64 count, const i32* active, const i32* base, const Offset* near_ends, const u8* bytes,
                                    const u8* blocks, const Cost* near_costs, const Offset* far_ends, const i32* far,
                                    const Cost* far_costs, const i32* tree, Offset* near_mark, Offset* far_mark, i32* goal, Cost* cost) {
  const Near near = {base, bytes, blocks};
  for (i64 start = warp() * WARP; start < count; start += warps() * WARP) {
    i64 i = start + lane();
    i32 v = i < count ? active[i] : 0;
    bool walks = i < count && enclosed(tree, goal, v);
    i32 mine = walks ? tree[v] : 0;
    i64 a_end = walks ? near_ends[v + 1] : 0, b_end = walks ? far_ends[v + 1] : 0;
    i64 a = first_outside(near, tree, v, mine, walks ? near_mark[v] : 0, a_end);
    i64 b = first_outside(Whole{far}, tree, v, mine, walks ? far_mark[v] : 0, b_end);
    if (!walks) continue;
    near_mark[v] = a, far_mark[v] = b;
    bool from_near = a < a_end && (b == b_end || near_costs[a] < far_costs[b]);
    goal[v] = from_near ? near.at(v, a) : b < b_end ? far[b] : -1;
    if (goal[v] >= 0) cost[v] = from_near ? near_costs[a] : far_costs[b];
  }
}
