// SpMV along the rows of A with atomics:  w = u' A  for a bitmap or full u.
//
// Work split: an equal share of A's entries for each warp (for_each_entry).
// Conflicts: each product is added to its column's sum by an atomic; a presence bit is set by an atomic if a read finds it
// unset. `sums` start as the identity, `w_bits` as 0.
// Memory: reads A once and u once per entry; updates one sum per product. Needs no transpose of A.
#include "bits.cuh"
#include "spmv_multiply.cuh"
#include "atomics.cuh"
#include "rows.cuh"
extern "C" __global__ void spmv_atomic(i64 nvals, i64 nrows, const Offset* row_offsets, const Index* columns, const A* a_values,
                                       const U* u_values, const u32* u_bits, Word* sums, u32* w_bits) {
  for_each_entry(row_offsets, nrows, nvals, [&](i64 row, i64 p) {
    if (!has(u_bits, row)) return;
    i64 column = columns[p];
    atomic_accumulate(&sums[column], product(a_values, p, USES_U ? u_values[row] : U(), row, column));
    if (!has(w_bits, column)) set(w_bits, column);
  });
}
