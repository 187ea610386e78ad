// Other values for a list: combine(x, y) at each entry of the list x; y, if there is one, is full.
#include "masked_write.cuh"
#include "elementwise_formula.cuh"
extern "C" __global__ void ewise_map_list(const u64* count, i64 ncols, const Index* keys, const X* x, const Y* y, S s, C* c) {
  for (i64 k = thread(); k < *count; k += threads()) {
    i64 i = keys[k];
    T t = T();
    Combine::at(true, x[k], y != 0, y ? y[i] : Y(), s, i / ncols, i % ncols, t);
    c[k] = cast<C>(t);
  }
}
