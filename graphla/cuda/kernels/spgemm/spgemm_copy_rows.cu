// C = A B where A has one entry a row at most: row i of C is a row of B, multiplied.
// cp: where the rows of C begin. A call also defines COffset.
#include "rows.cuh"
#include "spgemm_multiply.cuh"
extern "C" __global__ void spgemm_copy_rows(
    i64 n, const AOffset* ap, const AIndex* ai, const AType* ax, const BOffset* bp, const Index* bi,
    const BType* bx, const COffset* cp, Index* ci, Z* cx) {
  Operands o = {ap, ai, ax, bp, bi, bx, nullptr, nullptr};
  for_each_entry(cp, n, cp[n], [&](i64 i, i64 c) {
    i64 p = ap[i], k = ai[p], q = bp[k] + (c - cp[i]), j = bi[q];
    ci[c] = j;
    cx[c] = product(o, p, q, i, k, j);
  });
}
