// Rows of bits: from compressed sparse rows and back, transposed, and some of their columns.
#include "bits.cuh"
#include "rows.cuh"
enum { QUAD = 128 };

extern "C" __global__ void csr_to_bits(i64 nvals, i64 nrows, const Offset* indptr, const Index* indices, i64 across, u32* words) {
  for_each_entry(indptr, nrows, nvals, [&](i64 i, i64 p) { set(words + i * across * 4, indices[p]); });
}

extern "C" __global__ void count_all_bits(i64 size, const u32* words, u64* sum) {
  i64 found = 0;
  for (i64 w = thread(); w < size; w += threads()) found += __popc(words[w]);
  found = from_lane(inclusive_scan(found), WARP - 1);
  if (lane() == 0) atomicAdd(sum, (u64)found);
}

// The number of entries of each row: a warp counts it.
extern "C" __global__ void count_row_bits(i64 nrows, i64 across, const u32* words, i64* counts) {
  for (i64 i = warp(); i < nrows; i += warps()) {
    i64 found = 0;
    for (i64 w = lane(); w < across * 4; w += WARP) found += __popc(words[i * across * 4 + w]);
    found = from_lane(inclusive_scan(found), WARP - 1);
    if (lane() == 0) counts[i] = found;
  }
}

extern "C" __global__ void bits_to_csr(i64 nrows, i64 across, const u32* words, const Offset* indptr, Index* indices) {
  for (i64 i = warp(); i < nrows; i += warps()) {
    i64 place = indptr[i];
    for (i64 w = lane(); w - lane() < across * 4; w += WARP) {
      u32 word = w < across * 4 ? words[i * across * 4 + w] : 0;
      i64 end = inclusive_scan(__popc(word)), p = place + end - __popc(word);
      for (; word; word &= word - 1) indices[p++] = w * 32 + __ffs(word) - 1;
      place += from_lane(end, WARP - 1);
    }
  }
}

// Word w of row j of the transpose: neighbours in a warp read the same words.
extern "C" __global__ void transpose_bits(i64 size, i64 nrows, i64 ncols, i64 across, const u32* words, i64 down, u32* out) {
  for (i64 t = thread(); t < size; t += threads()) {
    i64 j = t % ncols, w = t / ncols;
    u32 word = 0;
    for (i64 k = 0; k < 32 && w * 32 + k < nrows; k++) word |= (words[(w * 32 + k) * across * 4 + j / 32] >> (j & 31) & 1) << k;
    out[j * down * 4 + w] = word;
  }
}

// Column k of the result is column Q[k].
extern "C" __global__ void extract_bit_columns(i64 size, i64 across, const u32* words, i64 across_out, i64 ncols, const Index* Q, u32* out) {
  for (i64 t = thread(); t < size; t += threads()) {
    i64 i = t / (across_out * QUAD), k = t % (across_out * QUAD);
    store_bit(out, t, k < ncols && has(words + i * across * 4, Q[k]));
  }
}
