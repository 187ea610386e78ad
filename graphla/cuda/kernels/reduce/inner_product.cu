// The sum over a monoid of the products of two vectors. Of a list x, whose keys are given, all entries are read, and y at
// their positions; without keys x is a bitmap or full as y is. SWAPPED: x is the right operand.
#include "grid_reduce.cuh"
#include "bits.cuh"
extern "C" __global__ void inner_product(i64 n, const u64* size, const Index* keys, const X* x, const u32* xbits, const Y* y, const u32* ybits,
                                 Z* sums, u64* anys, u64* ended, u64* host) {
  bool any = false;
  Z z = Add::identity();
  if (size) n = *size;
  for (i64 k = thread(); k < n; k += threads()) {
    i64 i = keys ? (i64)keys[k] : k;
    if (!has(xbits, k) || !has(ybits, i)) continue;
    typedef Multiply M;
    if constexpr (SWAPPED) accumulate(any, z, (Z)M::of(cast<M::X>(y[i]), cast<M::Y>(x[k]), 0, i, i, 0));
    else accumulate(any, z, (Z)M::of(cast<M::X>(x[k]), cast<M::Y>(y[i]), 0, i, i, 0));
  }
  publish_sum(any, z, sums, anys, ended, host);
}
