// A thread for each vertex of the frontier; who claims a neighbour appends it to the next frontier, all
// through one counter.
#include "levels.cuh"

extern "C" __global__ void levels_frontier(i64 size, const i32* frontier, const Offset* ends, const i32* rows,
                                          Level* level, i64 depth, i32* next, u32* count) {
  for (i64 i = thread(); i < size; i += threads()) {
    i32 v = frontier[i];
    for (i64 p = ends[v]; p < ends[v + 1]; p++)
      if (claim(level, rows[p], depth)) next[atomicAdd(count, 1u)] = rows[p];
  }
}

// The frontier of a level that was found without one.
extern "C" __global__ void collect(i64 n, const Level* level, i64 depth, i32* frontier, u32* count) {
  for (i64 v = thread(); v < n; v += threads())
    if (level[v] == depth) frontier[atomicAdd(count, 1u)] = v;
}
