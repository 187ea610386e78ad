// Vertex-centric, bottom-up, as levels_pull.cu; but neighbours of the first vertices stand side by side, so that
// the threads of a warp, which are at the k-th neighbours of 32 vertices, read consecutive words.
#include "levels.cuh"

enum { GROUP = 32 };  // vertices whose neighbours are interleaved

extern "C" __global__ void levels_interleaved(i64 n, i64 first, const i64* starts, const i32* ids, const Offset* ends,
                                              const i32* rows, Level* level, i64 depth, u32* changed) {
  for (i64 v = thread(); v < n; v += threads()) {
    if (level[v] >= 0) continue;
    bool side_by_side = v < first;
    i64 p = side_by_side ? starts[v / GROUP] + v % GROUP : ends[v - first];
    i64 end = side_by_side ? starts[v / GROUP + 1] : ends[v - first + 1];
    const i32* from = side_by_side ? ids : rows;
    for (int step = side_by_side ? GROUP : 1; p < end; p += step) {
      i32 u = from[p];
      if (u < 0) break;  // it has no more
      if (level[u] == depth - 1) {
        level[v] = depth;
        *changed = depth;
        break;
      }
    }
  }
}
