// The sum of values over a monoid, in a warp. `any` says whether a lane has a value.
#include "warp.cuh"
template <class Z> __device__ __forceinline__ void include(bool& any, Z& z, Z x) {
  z = any ? (Z)Add::of(z, x) : x;
  any = true;
}
template <class Z> __device__ __forceinline__ void warp_sum(bool& any, Z& z) {
  for (int d = WARP / 2; d; d /= 2) {
    Z x = from_lane(z, lane() + d);
    bool more = from_lane((int)any, lane() + d);
    if (more && lane() + d < WARP) include(any, z, x);
  }
}
