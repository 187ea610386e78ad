// Neighbours in as few bits as those of `size` rows, a range, need. A range begins at a word of its own.
#include "rows.cuh"
extern "C" __global__ void largest_columns(i64 nvals, i64 nrows, i64 size, const Offset* indptr, const Index* indices, u32* largest) {
  for_each_entry(indptr, nrows, nvals, [&](i64 i, i64 p) {
    u32 j = indices[p];
    if (j > largest[i / size]) atomicMax(&largest[i / size], j);
  });
}

// A word takes the numbers that begin or end in it.
extern "C" __global__ void pack_columns(i64 nwords, i64 nranges, i64 nrows, i64 size, const Offset* indptr, const Index* indices,
                                const i64* starts, const u8* widths, u32* words) {
  for_each_entry(starts, nranges, nwords, [&](i64 r, i64 w) {
    i64 width = widths[r], from = (w - starts[r]) * 32, first = indptr[r * size], last = indptr[min((r + 1) * size, nrows)];
    u64 word = 0;
    for (i64 p = first + from / width; p < last && (p - first) * width < from + 32; p++) {
      i64 shift = (p - first) * width - from;
      word |= shift < 0 ? (u64)indices[p] >> -shift : (u64)indices[p] << shift;
    }
    words[w] = (u32)word;
  });
}

extern "C" __global__ void unpack_columns(i64 nvals, i64 nrows, i64 size, const Offset* indptr, const i64* starts, const u8* widths,
                                  const u32* words, Index* indices) {
  for_each_entry(indptr, nrows, nvals, [&](i64 i, i64 p) {
    i64 r = i / size, bit = starts[r] * 32 + (p - indptr[r * size]) * widths[r];
    u64 two = words[bit / 32] | (u64)words[bit / 32 + 1] << 32;
    indices[p] = two >> bit % 32 & ((1ULL << widths[r]) - 1);
  });
}
