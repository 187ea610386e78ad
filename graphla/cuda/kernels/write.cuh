// What C<M, accum, replace> = T holds at one position.
//
// A call defines C (type of the output), Accum, and ACCUM, REPLACE: 0 or 1.
#include "mask.cuh"
enum { KEEPS = ACCUM || (MASK && !REPLACE) };  // whether entries of the old C matter

// The new value where T has an entry t that counts, and C had c if it had one.
template <class T> __device__ __forceinline__ C updated(bool hc, C c, T t) {
  return ACCUM && hc ? cast<C>(Accum::of(cast<typename Accum::X>(c), cast<typename Accum::Y>(t), 0, 0, 0, 0)) : cast<C>(t);
}
// Whether C keeps its entry, if it has one, where T has none that counts.
__device__ __forceinline__ bool remains(bool open, bool hc) { return hc && (open ? ACCUM : !REPLACE); }

// Given whether C and T have an entry at i: write T's, if it counts; return whether C has one then.
template <class T> __device__ __forceinline__ bool write(C* c, i64 i, bool open, bool hc, bool ht, T t) {
  if (!open || !ht) return remains(open, hc);
  c[i] = updated(hc, ACCUM && hc ? c[i] : C(), t);
  return true;
}
