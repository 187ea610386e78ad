// Distances as a bitmap vector: values of a wider type, and presence bits of the finite ones.
//
// Work split: one vertex per thread. Conflicts: none; a warp writes whole words of bits.
#include "bits.cuh"

extern "C" __global__ void pack_distances(i64 n, const Distance* distances, i64 infinity_code, Out* values, u32* bits) {
  union { Code code; Distance value; } infinity;
  infinity.code = infinity_code;
  for (i64 v = thread(); v < (n + 31) / 32 * 32; v += threads()) {
    bool is_reached = v < n && distances[v] != infinity.value;
    if (v < n) values[v] = is_reached ? (Out)distances[v] : (Out)0;
    store_bit(bits, v, is_reached);
  }
}
