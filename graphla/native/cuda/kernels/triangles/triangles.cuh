// Neighbour sets for triangle counts, of a graph with vertices numbered by descending degree:
//     N(v) = {w < v : w adjacent to v},    |N(v)| = lower_counts[v]
// which is the beginning of row v. A path (u, v, w) with w < v < u is a triangle if w is in N(v) and in N(u).
#include "rows.cuh"

enum { EIGHT = 8 };  // 16-bit numbers read at once, 16 bytes

// The first of the entries begin..end-1 whose column is not less than w.
__device__ __forceinline__ i64 lower_bound_in(const u32* columns, i64 begin, i64 end, u32 w) {
  while (begin < end) {
    i64 middle = (begin + end) / 2;
    if (columns[middle] < w) begin = middle + 1;
    else end = middle;
  }
  return begin;
}

__device__ __noinline__ bool contains(const u32* columns, i64 begin, i64 end, u32 w) {
  i64 p = lower_bound_in(columns, begin, end, w);
  return p < end && columns[p] == w;
}
