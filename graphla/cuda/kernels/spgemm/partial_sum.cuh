// What the lanes of a warp, or all threads, have summed. REDUCE: 1 where a call asks for the sum
// of all entries of C alone.
struct Total {
  Z sum = Add::identity();
  bool some = false;

  static __device__ __forceinline__ bool any() { return Add::TERMINAL && Add::done(Add::identity()); }
  __device__ __forceinline__ void add(Z t) {
    sum = any() ? t : Add::of(sum, t);
    some = true;
  }
  __device__ __forceinline__ bool done() const { return Add::TERMINAL && some && Add::done(sum); }
  __device__ __forceinline__ void add(Total t) {
    if (t.some) add(t.sum);
  }
  // The lanes' total, in all of them.
  __device__ __forceinline__ Total of_warp() const {
    Total t = *this;
    u32 who = ballot(some);
    t.some = who;
    if (!who) return t;
    if (any()) t.sum = from_lane(sum, __ffs(who) - 1);
    else
      for (int d = WARP / 2; d; d /= 2) t.sum = Add::of(t.sum, from_lane(t.sum, lane() ^ d));
    return t;
  }
  // Into entry m of C, of whose presence hit[m] tells.
  __device__ __forceinline__ void write(i64 m, u8* hit, Z* values) const {
    hit[m] = some;
    values[m] = sum;
  }
  // Into the sum of all.
  __device__ __forceinline__ void write(u32* hit, Sum* all) const {
    Total t = of_warp();
    if (lane() == 0 && t.some) {
      *hit = 1;
      accumulate(all, t.sum);
    }
  }
};

extern "C" __global__ void clear_total(Sum* all) {
  if (thread() == 0) *all = pack(Add::identity());
}
