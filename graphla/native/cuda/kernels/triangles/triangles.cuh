// N(v): the neighbours of v below v, the first of its row. A path (u, v, w), w < v < u, is a triangle where
// w is in N(v): for u above v, the members of N(u) below v are asked for in N(v).
#include "rows.cuh"

enum { EIGHT = 8 };  // narrow numbers that a thread reads at once, 16 bytes

// The first of entries begin..end-1 that is w or more.
__device__ __forceinline__ i64 place_in(const u32* columns, i64 begin, i64 end, u32 w) {
  while (begin < end) {
    i64 middle = (begin + end) / 2;
    if (columns[middle] < w) begin = middle + 1;
    else end = middle;
  }
  return begin;
}

__device__ __noinline__ bool contains(const u32* columns, i64 begin, i64 end, u32 w) {
  i64 p = place_in(columns, begin, end, w);
  return p < end && columns[p] == w;
}
