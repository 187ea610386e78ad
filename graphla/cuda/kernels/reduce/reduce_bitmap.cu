// Sums of the rows, or of the columns, of X over a monoid: X is a bitmap or full, of nrows x ncols.
//
// `reduce_rows` sums chunks of CHUNK (defined before) consecutive entries of a row; the host calls it again on the chunks'
// sums until one is left for each row.
// Work split: one warp per chunk of a row; one thread per column, so that a warp reads consecutive columns of a row.
// Conflicts: none for values; the presence bits of `reduce_rows` are set by atomicOr on zeroed words.
// Memory: reads X once, coalesced; `reduce_columns` leaves a column as soon as its sum is terminal (Add::done).
#include "bits.cuh"
#include "monoid.cuh"
extern "C" __global__ void reduce_rows(i64 nrows, i64 ncols, const X* x, const u32* x_bits, Z* sums, u32* sum_bits) {
  i64 chunks_per_row = (ncols + CHUNK - 1) / CHUNK;
  for (i64 chunk = warp(); chunk < nrows * chunks_per_row; chunk += warps()) {
    i64 row = chunk / chunks_per_row, begin = chunk % chunks_per_row * CHUNK, end = min(ncols, begin + CHUNK);
    bool has_value = false;
    Z sum = Add::identity();
    for (i64 j = begin + lane(); j < end; j += WARP)
      if (has(x_bits, row * ncols + j)) accumulate(has_value, sum, cast<Z>(x[row * ncols + j]));
    warp_sum(has_value, sum);
    if (lane() == 0 && has_value) sums[chunk] = sum, set(sum_bits, chunk);
  }
}

extern "C" __global__ void reduce_columns(i64 nrows, i64 ncols, const X* x, const u32* x_bits, Z* sums, u32* sum_bits) {
  for (i64 j = thread(); j < round_up_to_warps(ncols); j += threads()) {
    bool has_value = false;
    Z sum = Add::identity();
    for (i64 row = 0; j < ncols && row < nrows && !(has_value && Add::done(sum)); row++)
      if (has(x_bits, row * ncols + j)) accumulate(has_value, sum, cast<Z>(x[row * ncols + j]));
    if (has_value) sums[j] = sum;
    store_bit(sum_bits, j, has_value);
  }
}
