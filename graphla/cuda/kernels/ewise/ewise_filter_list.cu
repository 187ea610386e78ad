// A new list: combine(x, y) at the entries of the list x, where it has a value and the mask allows.
// An ALIGNED mask is a list of the same keys, in the same order.
#include "masked_write.cuh"
#include "elementwise_formula.cuh"
#include "host_result.cuh"
extern "C" __global__ void ewise_filter_list(const u64* count, i64 ncols, const Index* keys, const X* x, const Y* y, const u32* ybits, S s,
                                  const Mask* m, const u32* mbits, Index* out, C* c, u64* size,
                                  u64* host) {
  for (i64 k = thread(); k < *count; k += threads()) {
    i64 i = keys[k];
    bool hy = y && has(ybits, i);
    T t = T();
    if (!mask_allows(m, mbits, ALIGNED ? k : i) || !Combine::at(true, x[k], hy, hy ? y[i] : Y(), s, i / ncols, i % ncols, t)) continue;
    i64 place = append(size);
    out[place] = i;
    c[place] = cast<C>(t);
  }
  publish_count(size, host);
}
