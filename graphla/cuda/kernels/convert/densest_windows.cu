// The column of each row from which `width` columns hold most of its entries, the first such: a warp for a row.
#include "warp.cuh"
extern "C" __global__ void densest_windows(i64 nrows, i64 width, const Offset* indptr, const Index* indices, Index* base) {
  for (i64 i = warp(); i < nrows; i += warps()) {
    i64 first = indptr[i], end = indptr[i + 1], most = 0, place = end;
    for (i64 p = first + lane(); p < end; p += WARP) {
      i64 low = p, high = min(end, p + width);  // of the entries in the window, the last
      while (high - low > 1) {
        i64 middle = (low + high) / 2;
        if (indices[middle] - indices[p] < width) low = middle;
        else high = middle;
      }
      if (low + 1 - p > most) most = low + 1 - p, place = p;
    }
    for (int d = WARP / 2; d; d /= 2) {
      i64 other = from_lane(most, lane() ^ d), there = from_lane(place, lane() ^ d);
      if (other > most || (other == most && there < place)) most = other, place = there;
    }
    if (lane() == 0 && first < end) base[i] = indices[place];
  }
}
