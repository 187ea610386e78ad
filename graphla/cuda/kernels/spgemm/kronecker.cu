// Kronecker product C = A kron B: C(ia * b_nrows + ib, ja * b_ncols + jb) = op(A(ia, ja), B(ib, jb)).
//
// Work split: a warp computes a row of C, a lane every WARP-th entry of it. Each entry of row ia of A is combined with all
// of row ib of B, in this order, so columns ascend. `kronecker_row_lengths`: one thread per row of C.
// Conflicts: none; every entry has its place in C, given by the scanned row lengths.
// Memory: reads A's and B's rows, the latter once for each entry of A's row; writes C once.
#include "warp.cuh"
extern "C" __global__ void kronecker_row_lengths(i64 nrows, i64 b_nrows, const OffsetA* a_offsets, const OffsetB* b_offsets, i64* lengths) {
  for (i64 i = thread(); i < nrows; i += threads())
    lengths[i] = (i64)(a_offsets[i / b_nrows + 1] - a_offsets[i / b_nrows]) * (b_offsets[i % b_nrows + 1] - b_offsets[i % b_nrows]);
}

extern "C" __global__ void kronecker(i64 nrows, i64 b_nrows, i64 b_ncols, const OffsetA* a_offsets, const IndexA* a_columns, const A* a_values,
                                     const OffsetB* b_offsets, const IndexB* b_columns, const B* b_values, const i64* c_offsets,
                                     Index* c_columns, Z* c_values) {
  for (i64 i = warp(); i < nrows; i += warps()) {
    i64 ia = i / b_nrows, ib = i % b_nrows, a_begin = a_offsets[ia], b_begin = b_offsets[ib], b_length = b_offsets[ib + 1] - b_begin;
    for (i64 t = lane(); t < c_offsets[i + 1] - c_offsets[i]; t += WARP) {
      i64 p = a_begin + t / b_length, q = b_begin + t % b_length, ja = a_columns[p], jb = b_columns[q];
      c_columns[c_offsets[i] + t] = ja * b_ncols + jb;
      c_values[c_offsets[i] + t] = Op::of(cast<Op::X>(a_values[A_ISO ? 0 : p]), cast<Op::Y>(b_values[B_ISO ? 0 : q]), ia, ja, ib, jb);
    }
  }
}
