// C = D A, or A D where not LEFT, for a diagonal D: a product for each entry of A, in A's structure.
//
// A call defines types, Multiply and Add; D_ISO, A_ISO: one value stands for all; ROWS: whether the row is needed.
#include "rows.cuh"
typedef typename Multiply::X X;
typedef typename Multiply::Y Y;

extern "C" __global__ void scale(i64 nvals, i64 nrows, const Offset* indptr, const Index* indices, const A* a, const D* d, Add::Z* out) {
  for_each_entry<ROWS>(indptr, nrows, nvals, [&](i64 i, i64 p) {
    i64 j = indices[p];
    A x = a[A_ISO ? 0 : p];
    D k = d[D_ISO ? 0 : LEFT ? i : j];
    out[p] = cast<Add::Z>(LEFT ? Multiply::of(cast<X>(k), cast<Y>(x), i, i, i, j) : Multiply::of(cast<X>(x), cast<Y>(k), i, j, j, j));
  });
}
