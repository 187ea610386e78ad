// Flags of entries as bits, 32 a word: ends[w] is how many there are in the words before w.
#include "bits.cuh"
__device__ __forceinline__ i64 before(const u32* bits, const Ends* ends, i64 k) {
  return ends[k / 32] + __popc(bits[k / 32] & ((1u << k % 32) - 1));
}
