// The cost of each row of a product, from which the method and the bins of rows are chosen.
//
// Work split: a warp per row, a lane per entry of the row. Conflicts: none. Memory: reads A's (or the mask's) structure
// and two row offsets of B for each of its entries; writes one number per row.
// Defined before: RATIO: a row that is RATIO times longer than the other is searched, not read (spgemm_dot.cu).
#include "warp.cuh"

// work[i]: number of products of row i of A B, the sum of the lengths of the rows k of B over the entries A(i,k).
extern "C" __global__ void spgemm_work(i64 nrows, const AOffset* a_offsets, const AIndex* a_columns, const BOffset* b_offsets, i64* work) {
  for (i64 i = warp(); i < nrows; i += warps()) {
    i64 sum = 0;
    for (i64 p = a_offsets[i] + lane(); p < a_offsets[i + 1]; p += WARP) {
      i64 k = a_columns[p];
      sum += b_offsets[k + 1] - b_offsets[k];
    }
    for (int distance = WARP / 2; distance; distance /= 2) sum += from_lane(sum, lane() ^ distance);
    if (lane() == 0) work[i] = sum;
  }
}

// work[i]: number of entries of B' that the dot products of row i of A under the mask read; b_offsets are those of B'.
extern "C" __global__ void dot_work(i64 nrows, const AOffset* a_offsets, const BOffset* b_offsets, const MOffset* mask_offsets,
                                    const MIndex* mask_columns, i64* work) {
  for (i64 i = warp(); i < nrows; i += warps()) {
    i64 sum = 0, max_read = RATIO * (i64)(a_offsets[i + 1] - a_offsets[i]);
    for (i64 m = mask_offsets[i] + lane(); m < mask_offsets[i + 1]; m += WARP) {
      i64 j = mask_columns[m];
      sum += min(max_read, (i64)(b_offsets[j + 1] - b_offsets[j]));
    }
    for (int distance = WARP / 2; distance; distance /= 2) sum += from_lane(sum, lane() ^ distance);
    if (lane() == 0) work[i] = sum;
  }
}
