// A thread's sum over Add that may be empty, and its reduction over a warp and over the whole launch.
//
// Defined before: REDUCE, 1 if only the sum of all entries of C is wanted.
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
  __device__ __forceinline__ void add(PartialSum other) {
    if (other.has_value) add(other.sum);
  }
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
  // Add the warp's sum to the sum of all entries.
  __device__ __forceinline__ void write(u32* any_present, SumWord* total_sum) const {
    PartialSum total = of_warp();
    if (lane() == 0 && total.has_value) {
      *any_present = 1;
      atomic_accumulate(total_sum, total.sum);
    }
  }
};

extern "C" __global__ void clear_total(SumWord* total_sum) {
  if (thread() == 0) *total_sum = to_word(Add::identity());
}
