// The sum of all entries over a monoid: size, or where it is null n, entries; bits are null where all are present.
#include "grid_reduce.cuh"
#include "bits.cuh"
extern "C" __global__ void reduce(i64 n, const u64* size, const X* x, const u32* bits, Z* sums, u64* anys, u64* ended,
                                  u64* host) {
  bool any = false;
  Z z = Add::identity();
  if (size) n = *size;
  for (i64 i = thread(); i < n; i += threads())
    if (has(bits, i)) accumulate(any, z, cast<Z>(x[i]));
  publish_sum(any, z, sums, anys, ended, host);
}
