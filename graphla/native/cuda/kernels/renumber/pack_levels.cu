// A bitmap vector from an array of levels, in which a negative one means unreached: values of a dtype and presence bits.
//
// Work split: one vertex per thread; the lanes of a warp write one word of bits together.
// Conflicts: none.
// Memory: reads each level once; writes each value and word once.
#include "bits.cuh"

extern "C" __global__ void pack_levels(i64 n, const i32* levels, Level* values, u32* bits) {
  for (i64 v = thread(); v < (n + 31) / 32 * 32; v += threads()) {
    i32 level = v < n ? levels[v] : -1;
    if (v < n) values[v] = level;
    store_bit(bits, v, level >= 0);
  }
}
