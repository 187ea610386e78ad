// Vertex-centric, top-down: a thread for each vertex; those of the last level mark their neighbours.
// Many threads may write the same level: no atomics are needed.
#include "levels.cuh"

extern "C" __global__ void levels_push(i64 n, const Offset* ends, const i32* rows, Level* level, i64 depth, u32* changed) {
  for (i64 v = thread(); v < n; v += threads()) {
    if (level[v] != depth - 1) continue;
    for (i64 p = ends[v]; p < ends[v + 1]; p++)
      if (level[rows[p]] < 0) {
        level[rows[p]] = depth;
        *changed = depth;
      }
  }
}
