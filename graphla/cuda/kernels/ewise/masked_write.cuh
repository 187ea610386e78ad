// One position of C<M, accum, replace> = T: which of C's old value and T's value C has afterwards.
//
// Defined before: C (type of C's values), Accum (the accumulator), ACCUM and REPLACE (0 or 1), Mask and MASK (mask.cuh).
#include "mask.cuh"
enum { READS_OLD_C = ACCUM || (MASK && !REPLACE) };  // whether the result depends on the old entries of C

// `is_allowed`: the mask allows position i; `has_c`, `has_t`: C and T have an entry there. Write c[i] if T's value counts;
// return whether C has an entry at i afterwards. The caller updates the presence bit.
template <class T> __device__ __forceinline__ bool masked_write(C* c, i64 i, bool is_allowed, bool has_c, bool has_t, T t) {
  if (!is_allowed || !has_t) return has_c && (is_allowed ? ACCUM : !REPLACE);
  c[i] = ACCUM && has_c ? cast<C>(Accum::of(cast<typename Accum::X>(c[i]), cast<typename Accum::Y>(t), 0, 0, 0, 0)) : cast<C>(t);
  return true;
}
