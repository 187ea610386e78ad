// Data of a graph that triangle counts need: |N(v)|, the members of N(u) below v for each edge (v, u), the number of paths of
// each v, and N(v) as 16-bit numbers.
//
// Work split: one vertex or edge per thread (binary searches); one warp per vertex for sums and copies.
// Conflicts: none.
// Memory: reads the rows a few times; writes 2 or 4 bytes per edge, 2 bytes per narrow number, and vectors of n numbers.
#include "triangles.cuh"

// |N(v)|, and how many groups of EIGHT its members below EXACT need.
extern "C" __global__ void measure_lower_neighbours(i64 n, const Offset* row_offsets, const u32* columns, i32* lower_counts, i64* eights) {
  for (i64 v = thread(); v < n; v += threads()) {
    i64 begin = row_offsets[v], end = lower_bound_in(columns, begin, row_offsets[v + 1], v);
    lower_counts[v] = end - begin;
    eights[v] = (lower_bound_in(columns, begin, end, EXACT) - begin + EIGHT - 1) / EIGHT;
  }
}

// For each entry u of row v above v: how many members of N(u) are below v, which are the ends of paths (u, v, w); 0 for others.
extern "C" __global__ void count_path_ends(i64 n, i64 nvals, const Offset* row_offsets, const u32* columns, const i32* lower_counts,
                                           PathEndCount* path_ends) {
  for_each_entry(row_offsets, n, nvals, [&](i64 v, i64 p) {
    i64 u = columns[p], begin = row_offsets[u];
    path_ends[p] = u > v ? lower_bound_in(columns, begin, begin + lower_counts[u], v) - begin : 0;
  });
}

// The number of paths (u, v, w) of each v.
extern "C" __global__ void count_paths(i64 n, const Offset* row_offsets, const i32* lower_counts, const PathEndCount* path_ends, i64* paths) {
  for (i64 v = warp(); v < n; v += warps()) {
    i64 count = 0;
    for (i64 p = row_offsets[v] + lower_counts[v] + lane(); p < row_offsets[v + 1]; p += WARP) count += path_ends[p];
    for (int distance = WARP / 2; distance; distance /= 2) count += from_lane(count, lane() ^ distance);
    if (lane() == 0) paths[v] = count;
  }
}

// The members of N(v) below EXACT as 16-bit numbers, from narrow[EIGHT * narrow_starts[v]] on, padded with EXACT - 1.
extern "C" __global__ void copy_narrow_neighbours(i64 n, const Offset* row_offsets, const u32* columns, const i32* lower_counts,
                                                  const Offset* narrow_starts, u16* narrow) {
  for (i64 v = warp(); v < n; v += warps()) {
    i64 first = (i64)EIGHT * narrow_starts[v], end = (i64)EIGHT * narrow_starts[v + 1];
    for (i64 k = lane(); k < end - first; k += WARP) {
      u32 w = k < lower_counts[v] ? columns[row_offsets[v] + k] : EXACT;
      narrow[first + k] = w < EXACT ? w : EXACT - 1;
    }
  }
}
