// Bits of rows, each of which begins with a word, as those of one long vector, row behind row.
#include "warp.cuh"

extern "C" __global__ void flatten_bits(i64 words, i64 n, i64 count, const u32* rows, u32* flat) {
  i64 across = (n + 31) / 32;
  for (i64 w = thread(); w < words; w += threads()) {
    i64 row = 32 * w / n, v = 32 * w % n;
    u32 word = 0;
    for (i64 k = 0; k < 32 && row < count;) {
      word |= rows[row * across + v / 32] >> (v & 31) << k;  // beyond its end a row has no bit
      i64 some = min(32 - (v & 31), n - v);
      k += some;
      v += some;
      if (v == n) row++, v = 0;
    }
    flat[w] = word;
  }
}
