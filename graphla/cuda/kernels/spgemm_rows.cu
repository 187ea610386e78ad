// C = A B where A has one entry a row at most: row i of C is a row of B, multiplied.
// cp: where the rows of C begin. A call also defines COffset.
#include "warp.cuh"
#include "product.cuh"
extern "C" __global__ void spgemm_rows(
    i64 n, i64 group, const AOffset* ap, const AIndex* ai, const AType* ax, const BOffset* bp, const Index* bi,
    const BType* bx, const COffset* cp, Index* ci, Z* cx) {
  Operands o = {ap, ai, ax, bp, bi, bx, nullptr, nullptr};
  if (group > WARP) group = WARP;
  for (i64 i = thread() / group; i < n; i += threads() / group)
    products(o, i, thread() % group, group, group, [&](i64 p, i64 k, i64 q, i64 j) {
      i64 c = cp[i] + (q - o.bp[k]);
      ci[c] = j;
      cx[c] = product(o, p, q, i, k, j);
    });
}
