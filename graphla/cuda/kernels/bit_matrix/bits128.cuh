// Rows of a bit matrix, read 128 bits at a time, and C<M, accum, replace> = T for words of such rows.
//
// An entry of a bit matrix is True or missing. A row has `row_quads` Bits128; its bits beyond the last column are 0.
// Defined before: MASK (0 none, 1 M, 3 complement of M), ACCUM and REPLACE (0 or 1). The accumulator keeps True.
#include "warp.cuh"
enum { READS_OLD_C = ACCUM || (MASK && !REPLACE) };  // whether the result depends on the old C

struct alignas(16) Bits128 {
  u32 word[4];
};

// A word of C, from the words of the old C, of T and of M.
__device__ __forceinline__ u32 masked_word(u32 c, u32 t, u32 m) {
  u32 allowed = MASK == 0 ? ~0u : MASK == 1 ? m : ~m;
  return ((ACCUM ? c : c & ~allowed) & (REPLACE ? allowed : ~0u)) | (t & allowed);
}

// Write 128 bits of C, number q, from those of T. `old_c` and `mask` may be null if they are not needed.
__device__ __forceinline__ void masked_write(Bits128* c, i64 q, const Bits128* old_c, const Bits128* mask, Bits128 t) {
  Bits128 old_bits = READS_OLD_C ? old_c[q] : Bits128(), mask_bits = MASK ? mask[q] : Bits128();
#pragma unroll
  for (int k = 0; k < 4; k++) t.word[k] = masked_word(old_bits.word[k], t.word[k], mask_bits.word[k]);
  c[q] = t;
}
