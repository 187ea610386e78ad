// The entries of a matrix by rows that `hit` marks. `compact_count` counts them in each row,
// `compact_write` writes them to where the rows of C begin; a warp to a row.
#include "warp.cuh"
extern "C" __global__ void compact_count(i64 n, const MOffset* mp, const u8* hit, i64* count) {
  for (i64 i = warp(); i < n; i += warps()) {
    i64 sum = 0;
    for (i64 m = mp[i] + lane(); m < mp[i + 1]; m += WARP) sum += hit[m];
    for (int d = WARP / 2; d; d /= 2) sum += from_lane(sum, lane() ^ d);
    if (lane() == 0) count[i] = sum;
  }
}
extern "C" __global__ void compact_write(
    i64 n, const MOffset* mp, const MIndex* mi, const u8* hit, const Value* values, const COffset* cp, MIndex* ci, Value* cx) {
  for (i64 i = warp(); i < n; i += warps()) {
    i64 to = cp[i], end = mp[i + 1];
    for (i64 m0 = mp[i]; m0 < end; m0 += WARP) {
      i64 m = m0 + lane();
      bool keep = m < end && hit[m];
      u32 kept = ballot(keep);
      if (keep) {
        i64 c = to + __popc(kept & ((1u << lane()) - 1));
        ci[c] = mi[m];
        cx[c] = values[m];
      }
      to += __popc(kept);
    }
  }
}
