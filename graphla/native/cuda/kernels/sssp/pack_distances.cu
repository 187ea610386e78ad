// Distances as values of a wider type, with presence bits for those that are finite.
#include "bits.cuh"

extern "C" __global__ void pack_distances(i64 n, const Distance* dist, i64 infinity, Out* values, u32* bits) {
  union { Code code; Distance value; } none;
  none.code = infinity;
  for (i64 v = thread(); v < (n + 31) / 32 * 32; v += threads()) {
    bool reached = v < n && dist[v] != none.value;
    if (v < n) values[v] = reached ? (Out)dist[v] : (Out)0;
    store_bit(bits, v, reached);
  }
}
