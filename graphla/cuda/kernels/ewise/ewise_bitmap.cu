// C<M, accum, replace> = combine(x, y) for all positions; every operand and C is a bitmap or full, or absent (null).
//
// Work split: each lane decides from the words of presence bits of 32 positions whether T or the mask's values can
// matter there. If not, it makes C's new bits from these words alone. The positions of the other words are computed by
// the whole warp, BATCH words at a time, one position per lane. With fewer words than lanes, each warp takes fewer words,
// so that all warps have work.
// Conflicts: none: one warp owns a word of C's bits, and one lane of it writes the word.
// Memory: reads the bits of all operands and of the mask, values only at positions that matter; writes the values and all
// words of C's bits. `old_bits` are C's bits before and may be the same array as `c_bits`; null: full.
#include "masked_write.cuh"
#include "elementwise_formula.cuh"
enum { BATCH = WARP < 4 ? WARP : 4 };

// The presence bits of the 32 positions from 32 * word on.
__device__ __forceinline__ u32 bits_of(const u32* bits, i64 word) { return bits ? bits[word] : ~0u; }

extern "C" __global__ void ewise_bitmap(i64 n, i64 ncols, const X* x, const u32* x_bits, const Y* y, const u32* y_bits, S scalar,
                                        const Mask* mask_values, const u32* mask_bits, C* c, const u32* old_bits, u32* c_bits) {
  i64 words = (n + 31) / 32, words_per_warp = min((i64)WARP, (words + warps() - 1) / warps());
  for (i64 first_word = warp() * words_per_warp; first_word < words; first_word += warps() * words_per_warp) {
    i64 word = first_word + lane();
    bool owns_word = lane() < words_per_warp && word < words;
    // Bits of the positions at which T may have an entry, C has one, the mask may allow writing (all, if that depends on values).
    u32 maybe_t = 0, before = 0, maybe_allowed = ~0u;
    if (owns_word) {
      maybe_t = !x && !y ? ~0u : (x ? bits_of(x_bits, word) : 0) | (y ? bits_of(y_bits, word) : 0);
      if (READS_OLD_C) before = bits_of(old_bits, word) & (n - word * 32 < 32 ? (1u << (n - word * 32)) - 1 : ~0u);
      if (MASK && MASK != 4) maybe_allowed = bits_of(mask_bits, word) ^ (MASK == 3 ? ~0u : 0);
    }
    u32 after = before & (maybe_allowed & (ACCUM ? ~0u : 0) | ~maybe_allowed & (REPLACE ? 0 : ~0u));
    bool mask_has_values = MASK == 2 || MASK == 4;
    u32 lanes_with_work = ballot((maybe_t & maybe_allowed) || (mask_has_values && before));
    for (int owner = 0; owner < WARP; owner += BATCH) {
      if (!(lanes_with_work >> owner & ((1u << BATCH) - 1))) continue;
      for (int bit = 0; bit < 32; bit += WARP) {
        bool is_allowed[BATCH], has_x[BATCH], has_y[BATCH], has_c[BATCH];
        X x_value[BATCH];
        Y y_value[BATCH];
        i64 begin = (first_word + owner) * 32 + bit + lane();
#pragma unroll
        for (int k = 0; k < BATCH; k++) {
          i64 i = begin + k * 32;
          bool is_inside = owner + k < words_per_warp && i < n;
          is_allowed[k] = is_inside && mask_allows(mask_values, mask_bits, i);
          has_x[k] = is_allowed[k] && x && has(x_bits, i);
          has_y[k] = is_allowed[k] && y && has(y_bits, i);
          has_c[k] = READS_OLD_C && is_inside && has(old_bits, i);
        }
#pragma unroll
        for (int k = 0; k < BATCH; k++) x_value[k] = has_x[k] ? x[begin + k * 32] : X(), y_value[k] = has_y[k] ? y[begin + k * 32] : Y();
#pragma unroll
        for (int k = 0; k < BATCH; k++) {
          i64 i = begin + k * 32;
          T t = T();
          bool has_t = is_allowed[k] && Combine::at(has_x[k], x_value[k], has_y[k], y_value[k], scalar, i / ncols, i % ncols, t);
          u32 new_bits = ballot(masked_write(c, i, is_allowed[k], has_c[k], has_t, t)) << bit;
          if (lane() == owner + k) after = bit ? after | new_bits : new_bits;
        }
      }
    }
    if (c_bits && owns_word) c_bits[word] = after;
  }
}
