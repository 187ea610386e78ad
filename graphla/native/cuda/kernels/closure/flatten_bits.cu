// Rows of n bits, each padded to whole words, as one bit vector without padding: bit row * n + v = bit v of the row.
//
// Work split: one word of the vector per thread, made of parts of one or more rows.
// Conflicts: none.
// Memory: reads each word of the rows once or twice; writes each word once.
#include "warp.cuh"

extern "C" __global__ void flatten_bits(i64 flat_words, i64 n, i64 count, const u32* rows, u32* flat) {
  i64 row_words = (n + 31) / 32;
  for (i64 w = thread(); w < flat_words; w += threads()) {
    i64 row = 32 * w / n, v = 32 * w % n;
    u32 word = 0;
    for (i64 k = 0; k < 32 && row < count;) {
      word |= rows[row * row_words + v / 32] >> (v & 31) << k;  // the padding of a row is 0
      i64 bits_read = min(32 - (v & 31), n - v);
      k += bits_read;
      v += bits_read;
      if (v == n) row++, v = 0;
    }
    flat[w] = word;
  }
}
