// What C<M, accum, replace> = T holds at one position.
//
// A call defines C (type of the output), Accum, and ACCUM, REPLACE: 0 or 1.
#include "mask.cuh"
enum { KEEPS = ACCUM || (MASK && !REPLACE) };  // whether entries of the old C matter

// Given whether C and T have an entry here: whether C has one afterwards, and in c its value.
template <class T> __device__ __forceinline__ bool written(bool open, bool hc, C& c, bool ht, T t) {
  if (!open) return hc && !REPLACE;
  if (!ht) return hc && ACCUM;
  c = ACCUM && hc ? cast<C>(Accum::of(cast<typename Accum::X>(c), cast<typename Accum::Y>(t), 0, 0, 0, 0)) : cast<C>(t);
  return true;
}
