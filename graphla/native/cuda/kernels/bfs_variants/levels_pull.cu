// Vertex-centric, bottom-up: a thread for each vertex not reached looks for an in-neighbour of the last level
// and stops at the first.
#include "levels.cuh"

extern "C" __global__ void levels_pull(i64 n, const Offset* ends, const i32* rows, Level* level, i64 depth, u32* changed) {
  for (i64 v = thread(); v < n; v += threads()) {
    if (level[v] >= 0) continue;
    for (i64 p = ends[v]; p < ends[v + 1]; p++)
      if (level[rows[p]] == depth - 1) {
        level[v] = depth;
        *changed = depth;
        break;
      }
  }
}
