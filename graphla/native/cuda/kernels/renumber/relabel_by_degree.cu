// A graph relabelled by descending degree: sort keys of its edges, row offsets from sorted keys, and the first neighbours of
// all vertices in separate arrays. Columns of a row ascend, so its first neighbours have the highest degrees.
//
// Work split: one edge, or one vertex, per thread; `split_rows` one warp per row.
// Conflicts: none.
// Memory: reads and writes each edge once; `first_two_neighbours` and `first_neighbours` read the beginning of each row.
// Source: A. Kolganov, 2018 (global and local sort, aligned interleaving).
#include "rows.cuh"

// The key of edge (i, j): rank[i] in the upper 32 bits, rank[j] in the lower.
extern "C" __global__ void relabel_edges(i64 nvals, i64 nrows, const Offset* indptr, const i32* indices, const i32* rank, u64* keys) {
  for_each_entry(indptr, nrows, nvals, [&](i64 row, i64 p) { keys[p] = (u64)rank[row] << 32 | (u32)rank[indices[p]]; });
}

// row_offsets[v]: the number of sorted keys whose row is less than v, for v <= n.
extern "C" __global__ void find_row_offsets(i64 n, i64 nvals, const u64* keys, Offset* row_offsets) {
  for (i64 v = thread(); v <= n; v += threads()) {
    i64 low = 0, high = nvals;
    while (low < high) {
      i64 middle = (low + high) / 2;
      if (keys[middle] < (u64)v << 32) low = middle + 1;
      else high = middle;
    }
    row_offsets[v] = low;
  }
}

// The first two neighbours of each vertex, side by side: a single neighbour twice, the vertex itself if it has none. Bit 31 of
// the second: there are more.
extern "C" __global__ void first_two_neighbours(i64 n, const Offset* row_offsets, const u32* columns, u32* first_two) {
  for (i64 v = thread(); v < n; v += threads()) {
    i64 p = row_offsets[v], degree = row_offsets[v + 1] - p;
    u32 first = degree > 0 ? columns[p] : v;
    first_two[2 * v] = first;
    first_two[2 * v + 1] = degree > 2 ? columns[p + 1] | 1u << 31 : degree > 1 ? columns[p + 1] : first;
  }
}

// Split each row: its first neighbours, as many as near_offsets give room for, go to `near`, the others to `far`.
extern "C" __global__ void split_rows(i64 n, const Offset* row_offsets, const u32* columns, const Offset* near_offsets, u32* near,
                                      const Offset* far_offsets, u32* far) {
  for (i64 v = warp(); v < n; v += warps()) {
    i64 near_count = near_offsets[v + 1] - near_offsets[v];
    for (i64 p = row_offsets[v] + lane(); p < row_offsets[v + 1]; p += WARP) {
      i64 k = p - row_offsets[v];
      if (k < near_count) near[near_offsets[v] + k] = columns[p];
      else far[far_offsets[v] + k - near_count] = columns[p];
    }
  }
}

// The first `count` neighbours of each vertex, in a separate row; missing ones are 2^32 - 1. Bit 31 of the first: whether the vertex
// has more.
extern "C" __global__ void first_neighbours(i64 n, i64 count, const Offset* row_offsets, const u32* columns, u32* firsts) {
  for (i64 i = thread(); i < count * n; i += threads()) {
    i64 v = i / count, k = i % count, p = row_offsets[v], degree = row_offsets[v + 1] - p;
    firsts[i] = k >= degree ? ~0u : k == 0 && degree > count ? columns[p] | 1u << 31 : columns[p + k];
  }
}
