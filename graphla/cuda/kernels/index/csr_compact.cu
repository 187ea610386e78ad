// C = the entries of M, compressed sparse rows, that have a flag; with other values.
//
// Two passes: `compact_count` counts the flags of each row; the host makes C's offsets by a prefix sum; `compact_write`
// writes the entries, in order.
// Work split: one warp per row.
// Conflicts: none.
// Memory: reads M's offsets and flags twice, columns and values of flagged entries once; writes C once.
#include "warp.cuh"
extern "C" __global__ void compact_count(i64 nrows, const MOffset* m_indptr, const u8* flags, i64* row_counts) {
  for (i64 i = warp(); i < nrows; i += warps()) {
    i64 sum = 0;
    for (i64 p = m_indptr[i] + lane(); p < m_indptr[i + 1]; p += WARP) sum += flags[p];
    for (int distance = WARP / 2; distance; distance /= 2) sum += from_lane(sum, lane() ^ distance);
    if (lane() == 0) row_counts[i] = sum;
  }
}
extern "C" __global__ void compact_write(i64 nrows, const MOffset* m_indptr, const MIndex* m_indices, const u8* flags, const Value* values,
                                         const COffset* c_indptr, MIndex* c_indices, Value* c_values) {
  for (i64 i = warp(); i < nrows; i += warps()) {
    i64 c_place = c_indptr[i], end = m_indptr[i + 1];
    for (i64 first = m_indptr[i]; first < end; first += WARP) {
      i64 p = first + lane();
      bool is_kept = p < end && flags[p];
      u32 kept_lanes = ballot(is_kept);
      if (is_kept) {
        i64 c = c_place + __popc(kept_lanes & ((1u << lane()) - 1));
        c_indices[c] = m_indices[p];
        c_values[c] = values[p];
      }
      c_place += __popc(kept_lanes);
    }
  }
}
