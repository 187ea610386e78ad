// Where a vertex of a graph is to stand: with its neighbour of highest degree.
#include "rows.cuh"

// Vertex order[k] has rank k by descending degree: the least rank of it and its neighbours.
extern "C" __global__ void highest_degree_neighbours(i64 n, const i32* order, const i32* rank, const Offset* ends, const i32* indices, i32* leader) {
  for (i64 k = warp(); k < n; k += warps()) {
    i32 v = order[k], least = k;
    for (i64 p = ends[v] + lane(); p < ends[v + 1]; p += WARP) least = min(least, rank[indices[p]]);
    for (int d = WARP / 2; d; d /= 2) least = min(least, from_lane(least, lane() ^ d));
    if (lane() == 0) leader[k] = least;
  }
}

// Where the entries of each row reach the diagonal.
extern "C" __global__ void diagonal_offsets(i64 n, const Offset* ends, const i32* indices, Offset* middle) {
  for (i64 v = thread(); v < n; v += threads()) middle[v] = lower_bound(ends, indices, v, v);
}
