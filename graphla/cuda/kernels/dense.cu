// C<M, accum, replace> = combine(x, y), position by position: all operands are bitmaps or full.
#include "write.cuh"
#include "combine.cuh"
extern "C" __global__ void dense(i64 n, i64 ncols, const X* x, const u32* xbits, const Y* y, const u32* ybits, S s,
                                 const Mask* m, const u32* mbits, C* c, const u32* old, u32* cbits) {
  for (i64 i = thread(); i < whole_warps(n); i += threads()) {
    bool present = false;
    if (i < n) {
      bool hx = x && has(xbits, i), hy = y && has(ybits, i), hc = KEEPS && has(old, i);
      T t = T();
      bool open = allowed(m, mbits, i);
      bool ht = open && Combine::at(hx, hx ? x[i] : X(), hy, hy ? y[i] : Y(), s, i / ncols, i % ncols, t);
      present = write(c, i, open, hc, ht, t);
    }
    if (cbits) put(cbits, i, present);
  }
}
