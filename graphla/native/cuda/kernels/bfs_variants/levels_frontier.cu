// One level by push from a list:  for v in frontier, u in out(v), u not reached:  level(u) = depth, append u to the next frontier.
//
// Work split: one frontier vertex per thread.
// Conflicts: a neighbour is claimed by compare-and-swap; the thread that claims it appends it, all through one global counter.
// Memory: the rows of the frontier, one level per edge, and the new list.
// Source: W. Hwu, D. Kirk, I. El Hajj, Programming massively parallel processors, 4th edition, ch. 15.
#include "levels.cuh"

extern "C" __global__ void levels_frontier(i64 size, const i32* frontier, const Offset* offsets, const i32* columns, Level* level, i64 depth,
                                           i32* next_frontier, u32* next_size) {
  for (i64 i = thread(); i < size; i += threads()) {
    i32 v = frontier[i];
    for (i64 p = offsets[v]; p < offsets[v + 1]; p++)
      if (claim(level, columns[p], depth)) next_frontier[atomicAdd(next_size, 1u)] = columns[p];
  }
}

// List the vertices of a level, after a pull; one vertex per thread.
extern "C" __global__ void list_level(i64 n, const Level* level, i64 depth, i32* frontier, u32* size) {
  for (i64 v = thread(); v < n; v += threads())
    if (level[v] == depth) frontier[atomicAdd(size, 1u)] = v;
}
