// C = A B if each row of A has at most one entry: row i of C is row k of B, multiplied by A(i,k).
//
// Work split: equal shares of C's entries for all warps (for_each_entry). Conflicts: none; the row lengths of C are known
// before. Memory: reads A, the selected rows of B and C's row offsets; writes C once.
// Defined before: what spgemm_multiply.cuh needs, and COffset.
#include "rows.cuh"
#include "spgemm_multiply.cuh"
extern "C" __global__ void spgemm_copy_rows(
    i64 nrows, const AOffset* a_offsets, const AIndex* a_columns, const AType* a_values, const BOffset* b_offsets, const Index* b_columns,
    const BType* b_values, const COffset* c_offsets, Index* c_columns, Z* c_values) {
  Operands operands = {a_offsets, a_columns, a_values, b_offsets, b_columns, b_values, nullptr, nullptr};
  for_each_entry(c_offsets, nrows, c_offsets[nrows], [&](i64 i, i64 c) {
    i64 p = a_offsets[i], k = a_columns[p], q = b_offsets[k] + (c - c_offsets[i]), j = b_columns[q];
    c_columns[c] = j;
    c_values[c] = product(operands, p, q, i, k, j);
  });
}
