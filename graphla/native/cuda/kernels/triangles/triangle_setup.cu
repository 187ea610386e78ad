// What a count of triangles asks of a graph: how large N(v) is, and how much of N(u) is below v.
#include "triangles.cuh"

// How many neighbours are below v, and how many eights those below EXACT take.
extern "C" __global__ void measure_lower_neighbours(i64 n, const Offset* ends, const u32* columns, i32* sizes, i64* eights) {
  for (i64 v = thread(); v < n; v += threads()) {
    i64 begin = ends[v], end = place_in(columns, begin, ends[v + 1], v);
    sizes[v] = end - begin;
    eights[v] = (place_in(columns, begin, end, EXACT) - begin + EIGHT - 1) / EIGHT;
  }
}

// For each entry u of row v above v: how many members of N(u) are below v.
extern "C" __global__ void count_path_ends(i64 n, i64 nvals, const Offset* ends, const u32* columns, const i32* sizes, Place* places) {
  for_each_entry(ends, n, nvals, [&](i64 v, i64 p) {
    i64 u = columns[p], begin = ends[u];
    places[p] = u > v ? place_in(columns, begin, begin + sizes[u], v) - begin : 0;
  });
}

// How many paths (u, v, w) each v has; a warp takes a vertex.
extern "C" __global__ void count_paths(i64 n, const Offset* ends, const i32* sizes, const Place* places, i64* paths) {
  for (i64 v = warp(); v < n; v += warps()) {
    i64 found = 0;
    for (i64 p = ends[v] + sizes[v] + lane(); p < ends[v + 1]; p += WARP) found += places[p];
    for (int d = WARP / 2; d; d /= 2) found += from_lane(found, lane() ^ d);
    if (lane() == 0) paths[v] = found;
  }
}

// Copy the members of N(v) below EXACT as narrow numbers, from eight times starts[v]; EXACT - 1 fills up.
extern "C" __global__ void copy_narrow_neighbours(i64 n, const Offset* ends, const u32* columns, const i32* sizes, const Offset* starts, u16* items) {
  for (i64 v = warp(); v < n; v += warps()) {
    i64 first = (i64)EIGHT * starts[v], last = (i64)EIGHT * starts[v + 1];
    for (i64 k = lane(); k < last - first; k += WARP) {
      u32 w = k < sizes[v] ? columns[ends[v] + k] : EXACT;
      items[first + k] = w < EXACT ? w : EXACT - 1;
    }
  }
}
