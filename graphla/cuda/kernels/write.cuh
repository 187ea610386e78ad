// What C<M, accum, replace> = T holds at one position, and the mask that decides.
//
// A call defines C (type of the output), Mask (type of the mask's values), Accum, and
//   MASK: 0 none, 1 structure, 2 values, 3 the structure's complement, 4 the values';  ACCUM, REPLACE: 0 or 1.
#include "bits.cuh"
__device__ __forceinline__ bool allowed(const Mask* m, const u32* mbits, i64 i) {
  if (MASK == 0) return true;
  bool in = has(mbits, i) && (MASK % 2 || cast<bool>(m[i]));
  return in == (MASK <= 2);
}

// Given whether C and T have an entry here: whether C has one afterwards, and in c its value.
template <class T> __device__ __forceinline__ bool written(bool open, bool hc, C& c, bool ht, T t) {
  if (!open) return hc && !REPLACE;
  if (!ht) return hc && ACCUM;
  c = ACCUM && hc ? Accum::of(c, t) : cast<C>(t);
  return true;
}
