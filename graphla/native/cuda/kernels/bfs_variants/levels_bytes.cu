// Edge-parallel on levels of one byte, modulo 255, with 255 for a vertex not reached: a level that comes round
// again has no neighbours left to reach. With BOTH each edge is there once, for both directions.
#include "levels.cuh"

__device__ __forceinline__ void relax(u8 from, u8 to, u8* levels, i32 v, u32 depth, u32* changed) {
  if (to != 255 || from != (depth - 1) % 255) return;
  levels[v] = depth % 255;
  *changed = depth;
}

extern "C" __global__ void levels_bytes(i64 nvals, const i32* sources, const i32* targets, u8* levels, i64 depth, u32* changed) {
  for (i64 p = thread(); p < nvals; p += threads()) {
    i32 v = sources[p], u = targets[p];
    u8 of_v = levels[v], of_u = levels[u];
    relax(of_v, of_u, levels, u, depth, changed);
    if (BOTH) relax(of_u, of_v, levels, v, depth, changed);
  }
}

// The whole levels of those that were reached since all levels were below `base`.
extern "C" __global__ void widen(i64 n, const u8* levels, i64 base, Level* level) {
  for (i64 v = thread(); v < n; v += threads())
    if (level[v] < 0 && levels[v] != 255) level[v] = base + levels[v];
}
