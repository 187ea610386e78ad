// The sum of values over a monoid, in a warp. `any` says whether a lane has a value.
#include "warp.cuh"
template <class Z> __device__ __forceinline__ void include(bool& any, Z& z, Z x) {
  z = any ? (Z)Add::of(z, x) : x;
  any = true;
}
template <class Z> __device__ __forceinline__ void warp_sum(bool& any, Z& z) {
#ifndef SIMULATED
  for (int d = WARP / 2; d; d /= 2) {
    Z x = __shfl_down_sync(~0u, z, d);
    bool more = __shfl_down_sync(~0u, (int)any, d);
    if (more && lane() + d < WARP) include(any, z, x);
  }
#endif
}
