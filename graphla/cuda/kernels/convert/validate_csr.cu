// Validate imported compressed sparse rows: `invalid` is set to 1 unless the rows are contiguous, have at most SHORT entries
// each, and ascending columns in range. Set does not mean that the rows are wrong: longer rows are not checked here.
//
// Work split: one row per thread.
// Conflicts: all writers of `invalid` write 1.
// Memory: reads offsets and columns once.
#include "warp.cuh"
enum { SHORT = 32 };
extern "C" __global__ void validate_csr(i64 nrows, i64 nvals, i64 ncols, const Offset* indptr, const Index* indices, u32* invalid) {
  for (i64 i = thread(); i < nrows; i += threads()) {
    i64 begin = indptr[i], end = indptr[i + 1], previous = -1;
    bool is_invalid = begin < 0 || end < begin || end - begin > SHORT || end > nvals || (i == 0 && begin) || (i == nrows - 1 && end < nvals);
    for (i64 p = begin; !is_invalid && p < end; p++) {
      i64 j = indices[p];
      is_invalid = j <= previous || j >= ncols;
      previous = j;
    }
    if (is_invalid) *invalid = 1;
  }
}
