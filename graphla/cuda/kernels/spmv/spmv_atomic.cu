// The sums of u' A along the rows of A for a bitmap or full u: each product is added to its column's
// sum, which begins as the identity; `bits` say which columns have one.
#include "bits.cuh"
#include "spmv_multiply.cuh"
#include "atomics.cuh"
#include "rows.cuh"
extern "C" __global__ void spmv_atomic(i64 nvals, i64 n, const Offset* indptr, const Index* indices, const A* a, const U* u, const u32* ubits,
                                   Word* sums, u32* bits) {
  for_each_entry(indptr, n, nvals, [&](i64 row, i64 p) {
    if (!has(ubits, row)) return;
    i64 column = indices[p];
    atomic_accumulate(&sums[column], product(a, p, USES_U ? u[row] : U(), row, column));
    if (!has(bits, column)) set(bits, column);
  });
}
