// Column indices without leading zeros: those of each range of `range_rows` consecutive rows have the width (number of
// bits) of the largest, and are stored contiguously in 32-bit words from word range_starts[r] on.
//
// Work split: one entry, or one word, per thread (for_each_entry, rows.cuh).
// Conflicts: `largest_columns` uses atomicMax, for columns that exceed the value read before.
// Memory: reads and writes each index and each word once; unpacking reads two words per index, so there is one extra word
// at the end.
// Source: A. Kolganov, 2018.
#include "rows.cuh"
extern "C" __global__ void largest_columns(i64 nvals, i64 nrows, i64 range_rows, const Offset* indptr, const Index* indices, u32* largest) {
  for_each_entry(indptr, nrows, nvals, [&](i64 i, i64 p) {
    u32 j = indices[p];
    if (j > largest[i / range_rows]) atomicMax(&largest[i / range_rows], j);
  });
}

// Word w of range r is made of the indices that have a bit in it.
extern "C" __global__ void pack_columns(i64 nwords, i64 nranges, i64 nrows, i64 range_rows, const Offset* indptr, const Index* indices,
                                        const i64* range_starts, const u8* widths, u32* words) {
  for_each_entry(range_starts, nranges, nwords, [&](i64 r, i64 w) {
    i64 width = widths[r], first_bit = (w - range_starts[r]) * 32;
    i64 first = indptr[r * range_rows], end = indptr[min((r + 1) * range_rows, nrows)];
    u64 word = 0;
    for (i64 p = first + first_bit / width; p < end && (p - first) * width < first_bit + 32; p++) {
      i64 shift = (p - first) * width - first_bit;
      word |= shift < 0 ? (u64)indices[p] >> -shift : (u64)indices[p] << shift;
    }
    words[w] = (u32)word;
  });
}

extern "C" __global__ void unpack_columns(i64 nvals, i64 nrows, i64 range_rows, const Offset* indptr, const i64* range_starts,
                                          const u8* widths, const u32* words, Index* indices) {
  for_each_entry(indptr, nrows, nvals, [&](i64 i, i64 p) {
    i64 r = i / range_rows, bit = range_starts[r] * 32 + (p - indptr[r * range_rows]) * widths[r];
    u64 two_words = words[bit / 32] | (u64)words[bit / 32 + 1] << 32;
    indices[p] = two_words >> bit % 32 & ((1ULL << widths[r]) - 1);
  });
}
