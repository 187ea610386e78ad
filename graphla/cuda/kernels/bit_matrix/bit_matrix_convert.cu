// Bit matrices: from and to compressed sparse rows, counts of entries, the transpose, extraction of columns.
//
// A row has `row_quads` times 128 bits, four 32-bit words each; bits beyond the last column are 0.
#include "bits.cuh"
#include "rows.cuh"
enum { QUAD_BITS = 128 };

// Work split: one entry per thread. Conflicts: bits are set by atomicOr. Memory: `words` are 0 before.
extern "C" __global__ void csr_to_bits(i64 nvals, i64 nrows, const Offset* indptr, const Index* indices, i64 row_quads, u32* words) {
  for_each_entry(indptr, nrows, nvals, [&](i64 i, i64 p) { set(words + i * row_quads * 4, indices[p]); });
}

// The number of entries. Work split: a strided share of the words per thread. Conflicts: one atomic addition per warp.
extern "C" __global__ void count_all_bits(i64 size, const u32* words, u64* total) {
  i64 count = 0;
  for (i64 w = thread(); w < size; w += threads()) count += __popc(words[w]);
  count = from_lane(inclusive_scan(count), WARP - 1);
  if (lane() == 0) atomicAdd(total, (u64)count);
}

// The number of entries of each row. Work split: one warp per row.
extern "C" __global__ void count_row_bits(i64 nrows, i64 row_quads, const u32* words, i64* row_counts) {
  for (i64 i = warp(); i < nrows; i += warps()) {
    i64 count = 0;
    for (i64 w = lane(); w < row_quads * 4; w += WARP) count += __popc(words[i * row_quads * 4 + w]);
    count = from_lane(inclusive_scan(count), WARP - 1);
    if (lane() == 0) row_counts[i] = count;
  }
}

// Work split: one warp per row; a lane writes the columns of its word, whose place a scan of the counts gives.
extern "C" __global__ void bits_to_csr(i64 nrows, i64 row_quads, const u32* words, const Offset* indptr, Index* indices) {
  for (i64 i = warp(); i < nrows; i += warps()) {
    i64 place = indptr[i];
    for (i64 w = lane(); w - lane() < row_quads * 4; w += WARP) {
      u32 word = w < row_quads * 4 ? words[i * row_quads * 4 + w] : 0;
      i64 end = inclusive_scan(__popc(word)), p = place + end - __popc(word);
      for (; word; word &= word - 1) indices[p++] = w * 32 + __ffs(word) - 1;
      place += from_lane(end, WARP - 1);
    }
  }
}

// Work split: word w of row j of the transpose per thread; consecutive threads have consecutive j, so the lanes of a warp
// read the same one or two words of each of the 32 rows. `size` counts the words of the transpose's rows.
extern "C" __global__ void transpose_bits(i64 size, i64 nrows, i64 ncols, i64 row_quads, const u32* words, i64 out_row_quads, u32* out) {
  for (i64 t = thread(); t < size; t += threads()) {
    i64 j = t % ncols, w = t / ncols;
    u32 word = 0;
    for (i64 k = 0; k < 32 && w * 32 + k < nrows; k++) word |= (words[(w * 32 + k) * row_quads * 4 + j / 32] >> (j & 31) & 1) << k;
    out[j * out_row_quads * 4 + w] = word;
  }
}

// Column k of the result is column columns[k]. Work split: one bit per lane; a warp writes a word. `size` counts bits.
extern "C" __global__ void extract_bit_columns(i64 size, i64 row_quads, const u32* words, i64 out_row_quads, i64 out_ncols, const Index* columns,
                                               u32* out) {
  for (i64 t = thread(); t < size; t += threads()) {
    i64 i = t / (out_row_quads * QUAD_BITS), k = t % (out_row_quads * QUAD_BITS);
    store_bit(out, t, k < out_ncols && has(words + i * row_quads * 4, columns[k]));
  }
}
