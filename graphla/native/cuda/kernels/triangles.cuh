// N(v): the neighbours of v below v, ascending. Where these are dense, from 0 up to at most PREFIX, they are
// bits; the rest stays a list.
#include "warp.cuh"

enum { CHUNK = 1024 };  // columns that are all bits, or all in the list: one word a lane

struct alignas(32) Lower {
  i64 bits;          // the first word
  i64 rest;          // the first entry of the list
  u32 words, count;  // of the bits, of the list
};

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
