// One of several statements along a list: T = combine(x, y, s) where the mask allows, at one entry of the list.
//
// x is the list's value, or one along the list; y is a bitmap or full. It reads and writes what belongs to this entry
// alone, so that the next statement may follow at once. A call defines Index, Z, the type of the list's values, and a
// struct of types, Combine, Accum and these numbers for each of STEPS statements: WAY, MASK (mask.cuh) and whether it is
// a list ALIGNED with this one, OWN (x is the list's value), ACCUM, FEED (what it makes is the list that comes next).
#include "warp.cuh"
#include "bits.cuh"
enum { EACH, PART, INTO };  // values beside the same keys; a new list; into a bitmap or full C

template <class P> struct Step {
  const typename P::X* x;
  const typename P::Y* y;
  const u32* ybits;
  typename P::S s;
  const typename P::Mask* m;
  const u32* mbits;
  Index* keys;
  typename P::C* c;
  u32* cbits;
  u64 *size, *host;
};

// The statement at place k of the list, which is position i.
template <class P> __device__ __forceinline__ void step(const Step<P>& p, i64 k, i64 i, Z own) {
  typedef typename P::C C;
  typedef typename P::Accum Accum;
  if (P::MASK) {
    bool in = has(P::ALIGNED ? 0 : p.mbits, i) && (P::MASK % 2 || cast<bool>(p.m[P::ALIGNED ? k : i]));
    if (in != (P::MASK <= 2)) return;
  }
  typename P::X x;
  if constexpr (P::OWN) x = own;
  else x = p.x[k];
  bool hy = p.y && has(p.ybits, i);
  typename P::T t = typename P::T();
  bool there = P::Combine::at(true, x, hy, hy ? p.y[i] : typename P::Y(), p.s, i, (i64)0, t);
  if (P::WAY == EACH) p.c[k] = cast<C>(t);
  if (P::WAY == EACH || !there) return;
  if (P::WAY == PART) {
    i64 place = append(p.size);
    p.keys[place] = i;
    p.c[place] = cast<C>(t);
    return;
  }
  bool added = P::ACCUM && has(p.cbits, i);
  p.c[i] = added ? cast<C>(Accum::of(cast<typename Accum::X>(p.c[i]), cast<typename Accum::Y>(t), 0, 0, 0, 0)) : cast<C>(t);
  if (p.cbits) set(p.cbits, i);
}

// What a kernel takes for the statement P, and what it does with it. ALL does something for each.
#define GIVEN(P)                                                                                                    \
  , const P::X *P##_x, const P::Y *P##_y, const u32 *P##_ybits, P::S P##_s, const P::Mask *P##_m, const u32 *P##_mbits, \
      Index *P##_keys, P::C *P##_c, u32 *P##_cbits, u64 *P##_size, u64 *P##_host
#define TAKE(P) Step<P> P##_step = {P##_x, P##_y, P##_ybits, P##_s, P##_m, P##_mbits, P##_keys, P##_c, P##_cbits, P##_size, P##_host};
#define RUN(P) step(P##_step, k, i, own);
#if STEPS == 2
#define ALL(f) f(S0) f(S1)
#elif STEPS == 3
#define ALL(f) f(S0) f(S1) f(S2)
#else
#define ALL(f) f(S0) f(S1) f(S2) f(S3)
#endif
