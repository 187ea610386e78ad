// Flags of entries as bits, 32 per word, and the number of flags before each word: rank queries in constant time.
#include "bits.cuh"
// The number of flags before entry k.
__device__ __forceinline__ i64 flags_before(const u32* flag_bits, const FlagCount* flags_before_word, i64 k) {
  return flags_before_word[k / 32] + __popc(flag_bits[k / 32] & ((1u << k % 32) - 1));
}
