// As levels_pull.cu, with the neighbours of the vertices below num_interleaved interleaved in groups of 32 vertices: the threads of
// a warp, which read the k-th neighbours of 32 vertices, read consecutive words.
//
// Work split: one vertex per thread, NEIGHBOURS_IN_FLIGHT neighbours at once; it stops at the first hit.
// Conflicts: none; a thread writes its own level.
// Memory: all levels, the rows of vertices not reached. Places of a group beyond a row's end have -1.
// Source: A. Kolganov, 2018.
#include "levels.cuh"

enum { GROUP = 32, NEIGHBOURS_IN_FLIGHT = 4 };

// group_offsets[g]: the first entry of group g in interleaved_columns. offsets[k], columns: the row of vertex num_interleaved + k.
extern "C" __global__ void levels_interleaved(i64 n, i64 num_interleaved, const i64* group_offsets, const i32* interleaved_columns,
                                              const Offset* offsets, const i32* columns, Level* level, i64 depth, u32* changed) {
  for (i64 v = thread(); v < n; v += threads()) {
    bool is_open = level[v] < 0, is_interleaved = v < num_interleaved;
    i64 p = is_interleaved ? group_offsets[v / GROUP] + v % GROUP : offsets[v - num_interleaved];
    i64 end = is_interleaved ? group_offsets[v / GROUP + 1] : offsets[v - num_interleaved + 1];
    i64 step = is_interleaved ? GROUP : 1;
    const i32* list = is_interleaved ? interleaved_columns : columns;
    for (; is_open && p < end; p += NEIGHBOURS_IN_FLIGHT * step) {
      i32 u[NEIGHBOURS_IN_FLIGHT];
      for (int k = 0; k < NEIGHBOURS_IN_FLIGHT; k++) u[k] = p + k * step < end ? list[p + k * step] : -1;
      for (int k = 0; k < NEIGHBOURS_IN_FLIGHT; k++)
        if (u[k] >= 0 && level[u[k]] == depth - 1) {
          level[v] = depth;
          *changed = depth;
          is_open = false;
        }
      is_open = is_open && u[NEIGHBOURS_IN_FLIGHT - 1] >= 0;
    }
  }
}
