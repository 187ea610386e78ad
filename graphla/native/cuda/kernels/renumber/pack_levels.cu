// Levels as values of a dtype, with presence bits for those that are not negative.
#include "bits.cuh"

extern "C" __global__ void pack_levels(i64 n, const i32* level, Level* values, u32* bits) {
  for (i64 v = thread(); v < (n + 31) / 32 * 32; v += threads()) {
    i32 l = v < n ? level[v] : -1;
    if (v < n) values[v] = l;
    store_bit(bits, v, l >= 0);
  }
}
