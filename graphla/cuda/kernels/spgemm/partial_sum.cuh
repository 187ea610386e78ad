// A thread's sum over Add that may be empty, and its reduction over a warp.
struct PartialSum {
  Z sum = Add::identity();
  bool has_value = false;

  // Monoid `any`: each value may be the result.
  static __device__ __forceinline__ bool takes_any() { return Add::TERMINAL && Add::done(Add::identity()); }
  __device__ __forceinline__ void add(Z z) {
    sum = takes_any() ? z : Add::of(sum, z);
    has_value = true;
  }
  __device__ __forceinline__ bool done() const { return Add::TERMINAL && has_value && Add::done(sum); }
  // The sum over the warp, in every lane.
  __device__ __forceinline__ PartialSum of_warp() const {
    PartialSum total = *this;
    u32 lanes = ballot(has_value);
    total.has_value = lanes;
    if (!lanes) return total;
    if (takes_any()) total.sum = from_lane(sum, __ffs(lanes) - 1);
    else
      for (int distance = WARP / 2; distance; distance /= 2) total.sum = Add::of(total.sum, from_lane(total.sum, lane() ^ distance));
    return total;
  }
  // Write entry m of the result, which has the structure of the mask; is_present[m] says whether C has this entry.
  __device__ __forceinline__ void write(i64 m, u8* is_present, Z* values) const {
    is_present[m] = has_value;
    values[m] = sum;
  }
};
