// One level, edge-centric, on levels of one byte:  for edges u -> v with level(u) = depth - 1, v not reached:  level(v) = depth.
// A byte has the level modulo 255, or 255 if the vertex is not reached. A vertex of a level 255 below has the same byte, but no
// neighbours left to reach.
//
// Work split: one edge per thread; with BOTH an edge is stored once and relaxed in both directions.
// Conflicts: several threads may write the same value to one byte; no atomics are needed.
// Memory: both ends and both bytes of each edge, in the order in which the edges are stored.
// Source: A. Kolganov, 2014.
#include "levels.cuh"

__device__ __forceinline__ void relax(u8 u_level, u8 v_level, u8* level_bytes, i32 v, u32 depth, u32* changed) {
  if (v_level != 255 || u_level != (depth - 1) % 255) return;
  level_bytes[v] = depth % 255;
  *changed = depth;
}

extern "C" __global__ void levels_bytes(i64 nvals, const i32* sources, const i32* targets, u8* level_bytes, i64 depth, u32* changed) {
  for (i64 p = thread(); p < nvals; p += threads()) {
    i32 u = sources[p], v = targets[p];
    u8 u_level = level_bytes[u], v_level = level_bytes[v];
    relax(u_level, v_level, level_bytes, v, depth, changed);
    if (BOTH) relax(v_level, u_level, level_bytes, u, depth, changed);
  }
}

// Whole levels of the vertices that were reached at the levels from `base` to base + 254; one vertex per thread.
extern "C" __global__ void widen_levels(i64 n, const u8* level_bytes, i64 base, Level* level) {
  for (i64 v = thread(); v < n; v += threads())
    if (level[v] < 0 && level_bytes[v] != 255) level[v] = base + level_bytes[v];
}
