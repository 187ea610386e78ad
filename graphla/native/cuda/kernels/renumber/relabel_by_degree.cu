// A graph under new numbers.
#include "rows.cuh"

// The entry (i, j) as one key, rank[i] before rank[j].
extern "C" __global__ void relabel_edges(i64 nvals, i64 nrows, const Offset* indptr, const i32* indices, const i32* rank, u64* keys) {
  for_each_entry(indptr, nrows, nvals, [&](i64 row, i64 p) { keys[p] = (u64)rank[row] << 32 | (u32)rank[indices[p]]; });
}

// Where each of n rows begins among the sorted keys.
extern "C" __global__ void find_row_offsets(i64 n, i64 nvals, const u64* keys, Offset* ends) {
  for (i64 v = thread(); v <= n; v += threads()) {
    i64 low = 0, high = nvals;
    while (low < high) {
      i64 middle = (low + high) / 2;
      if (keys[middle] < (u64)v << 32) low = middle + 1;
      else high = middle;
    }
    ends[v] = low;
  }
}

// The first and the second neighbour of each vertex; twice the first where there is one, itself where there is none.
// The top bit of the second says that there are more.
extern "C" __global__ void first_two_neighbours(i64 n, const Offset* ends, const u32* rows, u32* heads) {
  for (i64 v = thread(); v < n; v += threads()) {
    i64 p = ends[v], count = ends[v + 1] - p;
    u32 first = count > 0 ? rows[p] : v;
    heads[2 * v] = first;
    heads[2 * v + 1] = count > 2 ? rows[p + 1] | 1u << 31 : count > 1 ? rows[p + 1] : first;
  }
}

// The first neighbours of each row, as many as `ends` has room for, and the others: a warp for each row.
extern "C" __global__ void split_rows(i64 n, const Offset* from, const u32* rows, const Offset* ends, u32* near,
                                 const Offset* far_ends, u32* far) {
  for (i64 v = warp(); v < n; v += warps()) {
    i64 few = ends[v + 1] - ends[v];
    for (i64 p = from[v] + lane(); p < from[v + 1]; p += WARP) {
      i64 k = p - from[v];
      if (k < few) near[ends[v] + k] = rows[p];
      else far[far_ends[v] + k - few] = rows[p];
    }
  }
}

// The first `few` neighbours of each vertex, in place of those that it lacks NONE. The top bit of the first says that there are more.
extern "C" __global__ void first_neighbours(i64 n, i64 few, const Offset* ends, const u32* rows, u32* firsts) {
  for (i64 i = thread(); i < few * n; i += threads()) {
    i64 v = i / few, k = i % few, p = ends[v], count = ends[v + 1] - p;
    firsts[i] = k >= count ? ~0u : k == 0 && count > few ? rows[p] | 1u << 31 : rows[p + k];
  }
}
