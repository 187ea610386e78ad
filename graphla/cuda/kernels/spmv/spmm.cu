// C(s, j) = sum over k of F(s, k) B(k, j) for the k rows s of a bitmap or full F, B by its columns j.
#include "bits.cuh"
#include "monoid.cuh"
extern "C" __global__ void spmm(i64 count, i64 n, i64 inner, const F* f, const u32* fbits, const Offset* indptr, const Index* indices,
                                const B* b, Z* c, u32* cbits) {
  for (i64 t = thread(); t < count * n; t += threads()) {
    i64 s = t % count, j = t / count;  // neighbours in a warp read the same column
    bool any = false;
    Z z = Add::identity();
    for (i64 p = indptr[j]; p < indptr[j + 1] && !(any && Add::done(z)); p++) {
      i64 k = indices[p], q = s * inner + k;
      if (!has(fbits, q)) continue;
      typedef typename Multiply::X X;
      typedef typename Multiply::Y Y;
      accumulate(any, z, (Z)Multiply::of(USES_F ? cast<X>(f[q]) : X(), USES_B ? cast<Y>(b[B_ISO ? 0 : p]) : Y(), s, k, k, j));
    }
    if (!any) continue;
    c[s * n + j] = z;
    set(cbits, s * n + j);
  }
}
