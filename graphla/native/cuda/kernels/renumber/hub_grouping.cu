// Order of vertices that groups each one with its neighbour of highest degree; and the places at which rows cross the diagonal.
//
// Work split: one warp per vertex for the neighbours, one thread per row for the diagonal (binary search).
// Conflicts: none.
// Memory: reads all columns and the rank of each once; writes one number per vertex.
#include "rows.cuh"

// order[k] is the vertex with rank k by descending degree, so the least rank is the highest degree: leaders[k] is the least
// rank among the vertex of rank k and its neighbours.
extern "C" __global__ void highest_degree_neighbours(i64 n, const i32* order, const i32* rank, const Offset* row_offsets, const i32* columns,
                                                     i32* leaders) {
  for (i64 k = warp(); k < n; k += warps()) {
    i32 v = order[k], least_rank = k;
    for (i64 p = row_offsets[v] + lane(); p < row_offsets[v + 1]; p += WARP) least_rank = min(least_rank, rank[columns[p]]);
    for (int distance = WARP / 2; distance; distance /= 2) least_rank = min(least_rank, from_lane(least_rank, lane() ^ distance));
    if (lane() == 0) leaders[k] = least_rank;
  }
}

// The place of the first entry of each row v whose column is not less than v.
extern "C" __global__ void diagonal_offsets(i64 n, const Offset* row_offsets, const i32* columns, Offset* diagonal) {
  for (i64 v = thread(); v < n; v += threads()) diagonal[v] = lower_bound(row_offsets, columns, v, v);
}
