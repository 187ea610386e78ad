// The row of each entry of compressed sparse rows.
#include "rows.cuh"
extern "C" __global__ void rows_of(i64 nvals, i64 nrows, const Offset* indptr, Row* rows) {
  for (i64 p = thread(); p < nvals; p += threads()) rows[p] = row_of(indptr, nrows, p);
}
