// One level, edge-centric:  for edges u -> v with level(u) = depth - 1, v not reached:  level(v) = depth.
//
// Work split: one edge per thread, all edges at every level.
// Conflicts: several threads may write the same value to one level; no atomics are needed.
// Memory: both ends and up to two levels of each edge. *changed becomes depth if a vertex is reached.
// Source: W. Hwu, D. Kirk, I. El Hajj, Programming massively parallel processors, 4th edition, ch. 15.
#include "levels.cuh"

extern "C" __global__ void levels_edges(i64 nvals, const i32* sources, const i32* targets, Level* level, i64 depth, u32* changed) {
  for (i64 p = thread(); p < nvals; p += threads())
    if (level[sources[p]] == depth - 1 && level[targets[p]] < 0) {
      level[targets[p]] = depth;
      *changed = depth;
    }
}
