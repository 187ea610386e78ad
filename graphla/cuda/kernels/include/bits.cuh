// Presence bits: bit i % 32 of word i / 32 says whether entry i is present. A null pointer means that all are present.
#include "warp.cuh"
__device__ __forceinline__ u32 word(const u32* bits, i64 i) { return bits ? bits[i >> 5] : ~0u; }  // that holds bit i
__device__ __forceinline__ bool has(const u32* bits, i64 i) { return !bits || bits[i >> 5] >> (i & 31) & 1; }
__device__ __forceinline__ void set(u32* bits, i64 i) { atomicOr(&bits[i >> 5], 1u << (i & 31)); }
__device__ __forceinline__ void clear(u32* bits, i64 i) { atomicAnd(&bits[i >> 5], ~(1u << (i & 31))); }

// As store_bit, if `bits` may be uninitialised. With one thread per warp (simulator) the first bit of a word clears the
// rest, unless `bits` are the old bits themselves, whose later bits are still to be read.
__device__ __forceinline__ void store_bit_in_new_word(u32* bits, const u32* old_bits, i64 i, bool is_present) {
  if (WARP == 1) {
    bits[i >> 5] = (i & 31 || bits == old_bits ? bits[i >> 5] & ~(1u << (i & 31)) : 0) | (u32)is_present << (i & 31);
    return;
  }
  u32 word = ballot(is_present);
  if (lane() == 0) bits[i >> 5] = word;
}

// Write the presence bit of entry i without an atomic. All lanes of the warp must call this, lane l with the entry
// 32 w + l of one word w.
__device__ __forceinline__ void store_bit(u32* bits, i64 i, bool is_present) {
#ifdef SIMULATED
  u32 bit = 1u << (i & 31);
  bits[i >> 5] = is_present ? bits[i >> 5] | bit : bits[i >> 5] & ~bit;
#else
  u32 word = ballot(is_present);
  if (lane() == 0) bits[i >> 5] = word;
#endif
}
