// What the rows of a product cost, a warp to a row.
#include "warp.cuh"
enum { RATIO = 32 };  // from here on a row is searched instead of read

// work[i]: number of products of row i of A B.
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

// work[i]: entries of B', by rows in bp, that the dot products of row i under the mask read.
extern "C" __global__ void dot_work(i64 n, const AOffset* ap, const BOffset* bp, const MOffset* mp, const MIndex* mi, i64* work) {
  for (i64 i = warp(); i < n; i += warps()) {
    i64 sum = 0, most = RATIO * (i64)(ap[i + 1] - ap[i]);
    for (i64 m = mp[i] + lane(); m < mp[i + 1]; m += WARP) {
      i64 j = mi[m];
      sum += min(most, (i64)(bp[j + 1] - bp[j]));
    }
    for (int d = WARP / 2; d; d /= 2) sum += from_lane(sum, lane() ^ d);
    if (lane() == 0) work[i] = sum;
  }
}
