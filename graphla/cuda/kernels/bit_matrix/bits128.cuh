// Rows of bits, 128 at a time, and a word of C<M, accum, replace> = T, all entries being True.
//
// A call defines MASK: 0 none, 1 inside, 3 outside of it; ACCUM, REPLACE: 0 or 1.
#include "warp.cuh"
enum { KEEPS = ACCUM || (MASK && !REPLACE) };  // whether the old C matters

struct alignas(16) Quad {
  u32 word[4];
};

__device__ __forceinline__ u32 updated(u32 c, u32 t, u32 m) {
  u32 open = MASK == 0 ? ~0u : MASK == 1 ? m : ~m;
  return ((ACCUM ? c : c & ~open) & (REPLACE ? open : ~0u)) | (t & open);
}

// Write quad q of C, given T's.
__device__ __forceinline__ void write(Quad* out, i64 q, const Quad* c, const Quad* m, Quad t) {
  Quad old = KEEPS ? c[q] : Quad(), mask = MASK ? m[q] : Quad();
#pragma unroll
  for (int k = 0; k < 4; k++) t.word[k] = updated(old.word[k], t.word[k], mask.word[k]);
  out[q] = t;
}
