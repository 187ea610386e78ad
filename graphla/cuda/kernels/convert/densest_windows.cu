// For each row the first column from which a window of `width` columns contains the most entries of the row.
//
// Work split: one warp per row; each lane takes entries as the window's beginning and finds its end by binary search.
// Conflicts: none.
// Memory: reads the row's columns, log2(row length) times each; writes one column per row that is not empty.
#include "warp.cuh"
extern "C" __global__ void densest_windows(i64 nrows, i64 width, const Offset* indptr, const Index* indices, Index* window_starts) {
  for (i64 i = warp(); i < nrows; i += warps()) {
    i64 begin = indptr[i], end = indptr[i + 1], best_count = 0, best_place = end;
    for (i64 p = begin + lane(); p < end; p += WARP) {
      i64 low = p, high = min(end, p + width);  // low becomes the last entry in the window from p
      while (high - low > 1) {
        i64 middle = (low + high) / 2;
        if (indices[middle] - indices[p] < width) low = middle;
        else high = middle;
      }
      if (low + 1 - p > best_count) best_count = low + 1 - p, best_place = p;
    }
    for (int distance = WARP / 2; distance; distance /= 2) {
      i64 count = from_lane(best_count, lane() ^ distance), place = from_lane(best_place, lane() ^ distance);
      if (count > best_count || (count == best_count && place < best_place)) best_count = count, best_place = place;
    }
    if (lane() == 0 && begin < end) window_starts[i] = indices[best_place];
  }
}
