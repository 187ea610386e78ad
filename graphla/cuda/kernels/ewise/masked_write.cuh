// What C<M, accum, replace> = T holds at one position.
//
// A call defines C (type of the output), Accum, and ACCUM, REPLACE: 0 or 1.
#include "mask.cuh"
enum { READS_OLD_C = ACCUM || (MASK && !REPLACE) };  // whether entries of the old C matter

// Given whether C and T have an entry at i: write T's, if it counts; return whether C has one then.
template <class T> __device__ __forceinline__ bool masked_write(C* c, i64 i, bool open, bool hc, bool ht, T t) {
  if (!open || !ht) return hc && (open ? ACCUM : !REPLACE);
  c[i] = ACCUM && hc ? cast<C>(Accum::of(cast<typename Accum::X>(c[i]), cast<typename Accum::Y>(t), 0, 0, 0, 0)) : cast<C>(t);
  return true;
}
