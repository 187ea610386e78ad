// Rows of bits, 128 at a time, and a word of C<M, accum, replace> = T, all entries being True.
//
// A call defines MASK: 0 none, 1 inside, 3 outside of it; ACCUM, REPLACE: 0 or 1.
#include "warp.cuh"
enum { READS_OLD_C = ACCUM || (MASK && !REPLACE) };  // whether the old C matters

struct alignas(16) Bits128 {
  u32 word[4];
};

__device__ __forceinline__ u32 updated(u32 c, u32 t, u32 m) {
  u32 open = MASK == 0 ? ~0u : MASK == 1 ? m : ~m;
  return ((ACCUM ? c : c & ~open) & (REPLACE ? open : ~0u)) | (t & open);
}

// Write quad q of C, given T's.
__device__ __forceinline__ void masked_write(Bits128* out, i64 q, const Bits128* c, const Bits128* m, Bits128 t) {
  Bits128 old = READS_OLD_C ? c[q] : Bits128(), mask = MASK ? m[q] : Bits128();
#pragma unroll
  for (int k = 0; k < 4; k++) t.word[k] = updated(old.word[k], t.word[k], mask.word[k]);
  out[q] = t;
}
