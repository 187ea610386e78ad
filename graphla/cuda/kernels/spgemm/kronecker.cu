// Kronecker product: row ia * nb + ib is the entries of row ia of A, each times all those of row ib of B.
#include "warp.cuh"
extern "C" __global__ void kronecker_row_lengths(i64 n, i64 nb, const OffsetA* a, const OffsetB* b, i64* out) {
  for (i64 i = thread(); i < n; i += threads()) out[i] = (i64)(a[i / nb + 1] - a[i / nb]) * (b[i % nb + 1] - b[i % nb]);
}

extern "C" __global__ void kronecker(i64 n, i64 nb, i64 mb, const OffsetA* aptr, const IndexA* aindex, const A* a, const OffsetB* bptr,
                                     const IndexB* bindex, const B* b, const i64* starts, Index* index, Z* z) {
  for (i64 i = warp(); i < n; i += warps()) {
    i64 ia = i / nb, ib = i % nb, abegin = aptr[ia], bbegin = bptr[ib], across = bptr[ib + 1] - bbegin;
    for (i64 t = lane(); t < starts[i + 1] - starts[i]; t += WARP) {
      i64 p = abegin + t / across, q = bbegin + t % across, ja = aindex[p], jb = bindex[q];
      index[starts[i] + t] = ja * mb + jb;
      z[starts[i] + t] = Op::of(cast<Op::X>(a[A_ISO ? 0 : p]), cast<Op::Y>(b[B_ISO ? 0 : q]), ia, ja, ib, jb);
    }
  }
}
