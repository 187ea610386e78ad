// C = D A (LEFT = 1) or C = A D (LEFT = 0) for a diagonal matrix D: C(i,j) = D(i,i) * A(i,j), or A(i,j) * D(j,j).
//
// Work split: a thread computes an entry; C has A's structure. Conflicts: none.
// Memory: reads the columns, the row offsets if ROWS, the values and D; writes the values of C.
// Defined before: the types, Multiply, Add; D_ISO, A_ISO: all entries have one value; ROWS: the row index is needed.
#include "rows.cuh"
typedef typename Multiply::X X;
typedef typename Multiply::Y Y;

extern "C" __global__ void scale(i64 nvals, i64 nrows, const Offset* row_offsets, const Index* columns, const A* a_values, const D* diagonal,
                                 Add::Z* c_values) {
  for_each_entry<ROWS>(row_offsets, nrows, nvals, [&](i64 i, i64 p) {
    i64 j = columns[p];
    A x = a_values[A_ISO ? 0 : p];
    D d = diagonal[D_ISO ? 0 : LEFT ? i : j];
    c_values[p] = cast<Add::Z>(LEFT ? Multiply::of(cast<X>(d), cast<Y>(x), i, i, i, j) : Multiply::of(cast<X>(x), cast<Y>(d), i, j, j, j));
  });
}
