// The row of each entry of compressed sparse rows.
#include "rows.cuh"
extern "C" __global__ void csr_row_indices(i64 nvals, i64 nrows, const Offset* indptr, Row* rows) {
  for_each_entry(indptr, nrows, nvals, [&](i64 row, i64 p) { rows[p] = row; });
}
