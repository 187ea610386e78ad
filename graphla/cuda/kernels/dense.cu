// C<M, accum, replace> = combine(x, y), position by position: all operands are bitmaps or full.
//
// A thread asks for all that it needs of TOGETHER positions at once.
#include "write.cuh"
#include "combine.cuh"
enum { TOGETHER = 2 };
extern "C" __global__ void __launch_bounds__(256, 8)
    dense(i64 n, i64 ncols, const X* x, const u32* xbits, const Y* y, const u32* ybits, S s, const Mask* m, const u32* mbits, C* c,
          const u32* old, u32* cbits) {
  for (i64 begin = warp() * TOGETHER * WARP; begin < n; begin += warps() * TOGETHER * WARP) {
    bool open[TOGETHER], hx[TOGETHER], hy[TOGETHER], hc[TOGETHER];
    X its_x[TOGETHER];
    Y its_y[TOGETHER];
    C its_c[TOGETHER];
#pragma unroll
    for (int k = 0; k < TOGETHER; k++) {
      i64 i = begin + k * WARP + lane();
      hc[k] = KEEPS && i < n && has(old, i);
      open[k] = i < n && allowed(m, mbits, i);
      hx[k] = open[k] && x && has(xbits, i);
      hy[k] = open[k] && y && has(ybits, i);
    }
#pragma unroll
    for (int k = 0; k < TOGETHER; k++) {
      i64 i = begin + k * WARP + lane();
      its_x[k] = hx[k] ? x[i] : X();
      its_y[k] = hy[k] ? y[i] : Y();
      its_c[k] = ACCUM && open[k] && hc[k] ? c[i] : C();
    }
#pragma unroll
    for (int k = 0; k < TOGETHER; k++) {
      i64 i = begin + k * WARP + lane();
      T t = T();
      bool ht = open[k] && Combine::at(hx[k], its_x[k], hy[k], its_y[k], s, i / ncols, i % ncols, t);
      if (ht) c[i] = updated(hc[k], its_c[k], t);
      if (cbits && begin + k * WARP < n) put(cbits, i, ht || remains(open[k], hc[k]));
    }
  }
}
