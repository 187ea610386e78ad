// Presence bits, 32 entries a word. No bits at all (null) means that every entry is present.
#include "warp.cuh"
__device__ __forceinline__ bool has(const u32* bits, i64 i) { return !bits || bits[i >> 5] >> (i & 31) & 1; }
__device__ __forceinline__ void set(u32* bits, i64 i) { atomicOr(&bits[i >> 5], 1u << (i & 31)); }
__device__ __forceinline__ void clear(u32* bits, i64 i) { atomicAnd(&bits[i >> 5], ~(1u << (i & 31))); }

// The same where the word may be new: one thread alone begins it with its first bit, unless `bits` are the old ones, of
// which it has yet to read the rest.
__device__ __forceinline__ void put_new(u32* bits, const u32* old, i64 i, bool present) {
  if (WARP == 1) {
    bits[i >> 5] = (i & 31 || bits == old ? bits[i >> 5] & ~(1u << (i & 31)) : 0) | (u32)present << (i & 31);
    return;
  }
  u32 word = ballot(present);
  if (lane() == 0) bits[i >> 5] = word;
}

// Write the bit of entry i; the lanes of a warp hold 32 entries that begin a word.
__device__ __forceinline__ void put(u32* bits, i64 i, bool present) {
#ifdef SIMULATED
  u32 bit = 1u << (i & 31);
  bits[i >> 5] = present ? bits[i >> 5] | bit : bits[i >> 5] & ~bit;
#else
  u32 word = ballot(present);
  if (lane() == 0) bits[i >> 5] = word;
#endif
}
