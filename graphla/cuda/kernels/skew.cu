// Columns by how many entries they have.
#include "rows.cuh"

extern "C" __global__ void count_columns(i64 nvals, const Index* indices, i32* counts) {
  for (i64 p = thread(); p < nvals; p += threads()) atomicAdd(&counts[indices[p]], 1);
}

// A column, comparable: by its entries, of several with as many the first.
struct Candidate {
  i64 entries, column;
  __device__ __forceinline__ bool beats(Candidate x) const { return entries > x.entries || (entries == x.entries && column < x.column); }
};

// The two columns of each row that have most entries, as a Pair of pull.cu.
extern "C" __global__ void choose_heads(i64 nrows, const Offset* indptr, const Index* indices, const i32* counts, Index* pairs) {
  for (i64 row = warp(); row < nrows; row += warps()) {
    i64 begin = indptr[row], end = indptr[row + 1];
    Candidate best = {-1, -1}, next = {-1, -1};
    for (i64 p = begin + lane(); p < end; p += WARP) {
      i64 column = indices[p];
      Candidate x = {counts[column], column};
      if (x.beats(best)) next = best, best = x;
      else if (x.beats(next)) next = x;
    }
    for (int d = WARP / 2; d; d /= 2) {
      Candidate x = {from_lane(best.entries, lane() ^ d), from_lane(best.column, lane() ^ d)};
      Candidate y = {from_lane(next.entries, lane() ^ d), from_lane(next.column, lane() ^ d)};
      Candidate loser = x.beats(best) ? best : x;
      if (x.beats(best)) best = x;
      if (y.beats(next)) next = y;
      if (loser.beats(next)) next = loser;
    }
    if (lane()) continue;
    pairs[2 * row] = best.column;
    pairs[2 * row + 1] = end - begin == 2 ? -2 - next.column : next.column;
  }
}

// rank[i] for each entry in column i.
extern "C" __global__ void renumber(i64 nvals, const Index* indices, const Index* rank, Index* out) {
  for (i64 p = thread(); p < nvals; p += threads()) out[p] = rank[indices[p]];
}
