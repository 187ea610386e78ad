// A new list: the entries of x, a bitmap or full, that combine(x) keeps and the mask allows.
#include "write.cuh"
#include "combine.cuh"
#include "tell.cuh"
extern "C" __global__ void pick(i64 n, i64 ncols, const X* x, const u32* xbits, S s, const Mask* m, const u32* mbits, Index* out, C* c,
                                u64* size, u64* host) {
  for (i64 i = thread(); i < n; i += threads()) {
    T t = T();
    if (!allowed(m, mbits, i) || !Combine::at(has(xbits, i), x[i], false, Y(), s, i / ncols, i % ncols, t)) continue;
    i64 place = append(size);
    out[place] = i;
    c[place] = cast<C>(t);
  }
  tell_count(size, host);
}
