// One level by pull, vertex-centric:  for v not reached:  level(v) = depth if any u in in(v) has level depth - 1.
//
// Work split: one vertex per thread, which stops at the first such u.
// Conflicts: none; a thread writes its own level. A level that is read while it is written is depth or -1, neither of which is
// depth - 1.
// Memory: all levels, the rows of vertices not reached. *changed becomes depth if a vertex is reached.
// Source: W. Hwu, D. Kirk, I. El Hajj, Programming massively parallel processors, 4th edition, ch. 15.
#include "levels.cuh"

extern "C" __global__ void levels_pull(i64 n, const Offset* offsets, const i32* columns, Level* level, i64 depth, u32* changed) {
  for (i64 v = thread(); v < n; v += threads()) {
    if (level[v] >= 0) continue;
    for (i64 p = offsets[v]; p < offsets[v + 1]; p++)
      if (level[columns[p]] == depth - 1) {
        level[v] = depth;
        *changed = depth;
        break;
      }
  }
}
