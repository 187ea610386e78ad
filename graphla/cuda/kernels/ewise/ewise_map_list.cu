// C = combine(x, y) at the entries of x, a list; y is full or absent. T has all entries of x, so C shares x's indices.
//
// Work split: one entry of x per thread.
// Conflicts: none.
// Memory: reads x's indices and values, y at these indices; writes one value per entry.
#include "masked_write.cuh"
#include "elementwise_formula.cuh"
extern "C" __global__ void ewise_map_list(const u64* x_size, i64 ncols, const Index* x_indices, const X* x, const Y* y, S scalar, C* c) {
  for (i64 k = thread(); k < *x_size; k += threads()) {
    i64 i = x_indices[k];
    T t = T();
    Combine::at(true, x[k], y != 0, y ? y[i] : Y(), scalar, i / ncols, i % ncols, t);
    c[k] = cast<C>(t);
  }
}
