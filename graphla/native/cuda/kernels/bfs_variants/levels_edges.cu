// Edge-centric: a thread for each edge, at every level.
#include "levels.cuh"

extern "C" __global__ void levels_edges(i64 nvals, const i32* sources, const i32* targets, Level* level, i64 depth, u32* changed) {
  for (i64 p = thread(); p < nvals; p += threads())
    if (level[sources[p]] == depth - 1 && level[targets[p]] < 0) {
      level[targets[p]] = depth;
      *changed = depth;
    }
}
