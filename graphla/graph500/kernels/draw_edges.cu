// Edges low..low + count - 1 of the benchmark's list: number k of stream s is mix(starts[s] + k GOLDEN), and each number of
// the streams BITS, BITS + 1, ... draws two bits of both ends, which `label` then renames (graph500/edges.py).
//
// Work split: one edge per thread.
// Conflicts: none.
// Memory: reads two labels per edge, at random; writes two ends, and the weight unless `weight` is null.
#include "warp.cuh"

#define GOLDEN 0x9E3779B97F4A7C15ULL
__device__ __forceinline__ u64 mix(u64 bits) {  // SplitMix64
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9ULL;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EBULL;
  return bits ^ bits >> 31;
}

extern "C" __global__ void draw_edges(i64 count, u64 low, i64 scale, const u64* starts, u64 right, u64 lower, u64 lower_right,
                                      const Label* label, Label* src, Label* dst, f32* weight) {
  for (i64 k = thread(); k < count; k += threads()) {
    u64 counter = (low + k) * GOLDEN;
    i64 i = 0, j = 0;
    for (i64 bit = 0; bit < scale; bit++) {
      u64 bits = mix(counter + starts[BITS + bit / 2]), u = bit % 2 ? bits & 0xFFFFFFFFULL : bits >> 32;
      bool row_bit = u >= lower;
      i = i << 1 | row_bit;
      j = j << 1 | ((u >= right) ^ row_bit ^ (u >= lower_right));
    }
    src[k] = label[i];
    dst[k] = label[j];
    if (weight) weight[k] = (f32)(mix(counter + starts[WEIGHTS]) >> 40) * 0x1p-24f;
  }
}
