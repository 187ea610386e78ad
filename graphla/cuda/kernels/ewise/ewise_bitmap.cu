// C<M, accum, replace> = combine(x, y), position by position: all operands are bitmaps or full.
//
// A lane reads the words of bits of 32 positions. Where these tell that C can gain nothing, they make C's, too; the
// warp goes through the other words together, some at a time. Few words are dealt to all warps.
#include "masked_write.cuh"
#include "elementwise_formula.cuh"
enum { TOGETHER = WARP < 4 ? WARP : 4 };

// The bits of positions 32 * word and on.
__device__ __forceinline__ u32 bits_of(const u32* bits, i64 word) { return bits ? bits[word] : ~0u; }

extern "C" __global__ void ewise_bitmap(i64 n, i64 ncols, const X* x, const u32* xbits, const Y* y, const u32* ybits, S s,
                                 const Mask* m, const u32* mbits, C* c, const u32* old, u32* cbits) {
  i64 words = (n + 31) / 32, share = min((i64)WARP, (words + warps() - 1) / warps());
  for (i64 first = warp() * share; first < words; first += warps() * share) {
    i64 word = first + lane();
    bool its_own = lane() < share && word < words;
    u32 there = 0, before = 0, open = ~0u;  // where T may have entries; where C has; where the mask may allow
    if (its_own) {
      there = !x && !y ? ~0u : (x ? bits_of(xbits, word) : 0) | (y ? bits_of(ybits, word) : 0);
      if (READS_OLD_C) before = bits_of(old, word) & (n - word * 32 < 32 ? (1u << (n - word * 32)) - 1 : ~0u);
      if (MASK && MASK != 4) open = bits_of(mbits, word) ^ (MASK == 3 ? ~0u : 0);
    }
    u32 after = before & (open & (ACCUM ? ~0u : 0) | ~open & (REPLACE ? 0 : ~0u));
    bool by_values = MASK == 2 || MASK == 4;
    u32 busy = ballot((there & open) || (by_values && before));
    for (int t = 0; t < WARP; t += TOGETHER) {
      if (!(busy >> t & ((1u << TOGETHER) - 1))) continue;
      for (int bit = 0; bit < 32; bit += WARP) {
        bool allow[TOGETHER], hx[TOGETHER], hy[TOGETHER], hc[TOGETHER];
        X its_x[TOGETHER];
        Y its_y[TOGETHER];
        i64 begin = (first + t) * 32 + bit + lane();
#pragma unroll
        for (int k = 0; k < TOGETHER; k++) {
          i64 i = begin + k * 32;
          bool real = t + k < share && i < n;
          allow[k] = real && mask_allows(m, mbits, i);
          hx[k] = allow[k] && x && has(xbits, i);
          hy[k] = allow[k] && y && has(ybits, i);
          hc[k] = READS_OLD_C && real && has(old, i);
        }
#pragma unroll
        for (int k = 0; k < TOGETHER; k++) its_x[k] = hx[k] ? x[begin + k * 32] : X(), its_y[k] = hy[k] ? y[begin + k * 32] : Y();
#pragma unroll
        for (int k = 0; k < TOGETHER; k++) {
          i64 i = begin + k * 32;
          T z = T();
          bool ht = allow[k] && Combine::at(hx[k], its_x[k], hy[k], its_y[k], s, i / ncols, i % ncols, z);
          u32 found = ballot(masked_write(c, i, allow[k], hc[k], ht, z)) << bit;
          if (lane() == t + k) after = bit ? after | found : found;
        }
      }
    }
    if (cbits && its_own) cbits[word] = after;
  }
}
