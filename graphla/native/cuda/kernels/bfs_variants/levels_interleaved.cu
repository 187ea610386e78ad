// Vertex-centric, bottom-up, as levels_pull.cu; but neighbours of the first vertices stand side by side, so that
// the threads of a warp, which are at the k-th neighbours of 32 vertices, read consecutive words.
#include "levels.cuh"

enum {
  GROUP = 32,  // vertices whose neighbours are interleaved
  FLIGHT = 4   // neighbours that a thread reads at once
};

extern "C" __global__ void levels_interleaved(i64 n, i64 first, const i64* starts, const i32* ids, const Offset* ends,
                                              const i32* rows, Level* level, i64 depth, u32* changed) {
  for (i64 v = thread(); v < n; v += threads()) {
    bool open = level[v] < 0, heavy = v < first;
    i64 p = heavy ? starts[v / GROUP] + v % GROUP : ends[v - first];
    i64 end = heavy ? starts[v / GROUP + 1] : ends[v - first + 1];
    i64 step = heavy ? GROUP : 1;
    const i32* list = heavy ? ids : rows;
    for (; open && p < end; p += FLIGHT * step) {
      i32 u[FLIGHT];
      for (int k = 0; k < FLIGHT; k++) u[k] = p + k * step < end ? list[p + k * step] : -1;
      for (int k = 0; k < FLIGHT; k++)
        if (u[k] >= 0 && level[u[k]] == depth - 1) {
          level[v] = depth;
          *changed = depth;
          open = false;
        }
      open = open && u[FLIGHT - 1] >= 0;  // else it has no more
    }
  }
}
