// work[i]: number of products of row i of A B, a warp to a row.
#include "warp.cuh"
extern "C" __global__ void spgemm_work(i64 n, const AOffset* ap, const AIndex* ai, const BOffset* bp, i64* work) {
  for (i64 i = warp(); i < n; i += warps()) {
    i64 sum = 0;
    for (i64 p = ap[i] + lane(); p < ap[i + 1]; p += WARP) {
      i64 k = ai[p];
      sum += bp[k + 1] - bp[k];
    }
    for (int d = WARP / 2; d; d /= 2) sum += from_lane(sum, lane() ^ d);
    if (lane() == 0) work[i] = sum;
  }
}
