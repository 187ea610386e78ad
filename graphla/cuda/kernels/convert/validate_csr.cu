// Whether rows from outside are as they should be: `found` stays 0 where all are short, lie one behind
// the other and have ascending columns; of others nothing is known.
#include "warp.cuh"
enum { SHORT = 32 };
extern "C" __global__ void validate_csr(i64 nrows, i64 nvals, i64 ncols, const Offset* indptr, const Index* indices, u32* found) {
  for (i64 i = thread(); i < nrows; i += threads()) {
    i64 begin = indptr[i], end = indptr[i + 1], before = -1;
    bool wrong = begin < 0 || end < begin || end - begin > SHORT || end > nvals || (i == 0 && begin) || (i == nrows - 1 && end < nvals);
    for (i64 p = begin; !wrong && p < end; p++) {
      i64 j = indices[p];
      wrong = j <= before || j >= ncols;
      before = j;
    }
    if (wrong) *found = 1;
  }
}
