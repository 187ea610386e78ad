// combine(x, y, s) at the entries of compressed sparse rows, where the mask allows: values, and flags
// that say where there is one (either may be null).
//
// A call defines types and HERE or SOUGHT (in x's and y's own rows) or NONE as X_AT and Y_AT; *_ISO: one
// value stands for all; ROWS: whether the position is needed; MASK as in mask.cuh.
#include "elementwise_formula.cuh"
#include "rows.cuh"
enum { NONE, HERE, SOUGHT };

template <int AT, class Offset> __device__ __forceinline__ i64 find(const Offset* indptr, const Index* indices, i64 k, i64 i, i64 j) {
  if constexpr (AT == SOUGHT) return find_entry(indptr, indices, i, j);
  else return AT == HERE ? k : -1;
}

extern "C" __global__ void ewise_csr(i64 nvals, i64 nrows, const Offset* indptr, const Index* indices,
                                   const XOffset* xptr, const Index* xind, const X* x,
                                   const YOffset* yptr, const Index* yind, const Y* y, S s,
                                   const MOffset* mptr, const Index* mind, const Mask* m, Out* out, bool* flags) {
  for_each_entry<ROWS>(indptr, nrows, nvals, [&](i64 i, i64 k) {
    i64 j = ROWS ? indices[k] : 0;
    bool open = true;
    if (MASK) {
      i64 p = find_entry(mptr, mind, i, j);
      open = (p >= 0 && (MASK % 2 || cast<bool>(m[M_ISO ? 0 : p]))) == (MASK <= 2);
    }
    i64 p = find<X_AT>(xptr, xind, k, i, j), q = find<Y_AT>(yptr, yind, k, i, j);
    T t = T();
    bool present = open && Combine::at(p >= 0, p >= 0 ? x[X_ISO ? 0 : p] : X(), q >= 0, q >= 0 ? y[Y_ISO ? 0 : q] : Y(), s, i, j, t);
    if (out && present) out[k] = cast<Out>(t);
    if (flags) flags[k] = present;
  });
}
