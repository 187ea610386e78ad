// The sums of u' A along the rows of A for a bitmap or full u: each product is added to its column's
// sum, which begins as the identity; `bits` say which columns have one.
#include "bits.cuh"
#include "multiply.cuh"
#include "atomics.cuh"
extern "C" __global__ void columns(i64 n, const Offset* indptr, const Index* indices, const A* a, const U* u, const u32* ubits,
                                   Word* sums, u32* bits) {
  for (i64 row = thread(); row < n; row += threads()) {
    if (!has(ubits, row)) continue;
    U x = USES_U ? u[row] : U();
    for (i64 p = indptr[row]; p < indptr[row + 1]; p++) {
      i64 column = indices[p];
      combine(&sums[column], product(a, p, x, row, column));
      if (!has(bits, column)) set(bits, column);
    }
  }
}
