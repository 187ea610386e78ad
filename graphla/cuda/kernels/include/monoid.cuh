// Sums over the monoid Add that may be empty: `has_value` is whether `sum` has a value yet.
#include "warp.cuh"
template <class Z> __device__ __forceinline__ void accumulate(bool& has_value, Z& sum, Z x) {
  sum = has_value ? (Z)Add::of(sum, x) : x;
  has_value = true;
}
// Sum over the lanes of the warp; the result is in lane 0.
template <class Z> __device__ __forceinline__ void warp_sum(bool& has_value, Z& sum) {
  for (int distance = WARP / 2; distance; distance /= 2) {
    Z other = from_lane(sum, lane() + distance);
    bool other_has_value = from_lane((int)has_value, lane() + distance);
    if (other_has_value && lane() + distance < WARP) accumulate(has_value, sum, other);
  }
}
