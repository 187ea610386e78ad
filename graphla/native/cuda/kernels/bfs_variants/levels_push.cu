// One level by push, vertex-centric:  for v with level(v) = depth - 1, u in out(v), u not reached:  level(u) = depth.
//
// Work split: one vertex per thread, whether or not it is on the frontier.
// Conflicts: several threads may write the same value to one level; no atomics are needed.
// Memory: all levels, the rows of the frontier, and one level per edge. *changed becomes depth if a vertex is reached.
// Source: W. Hwu, D. Kirk, I. El Hajj, Programming massively parallel processors, 4th edition, ch. 15.
#include "levels.cuh"

extern "C" __global__ void levels_push(i64 n, const Offset* offsets, const i32* columns, Level* level, i64 depth, u32* changed) {
  for (i64 v = thread(); v < n; v += threads()) {
    if (level[v] != depth - 1) continue;
    for (i64 p = offsets[v]; p < offsets[v + 1]; p++)
      if (level[columns[p]] < 0) {
        level[columns[p]] = depth;
        *changed = depth;
      }
  }
}
