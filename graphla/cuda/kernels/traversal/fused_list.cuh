// Element-wise statements fused along one list: T = combine(x, y, s) at each entry of the list that the mask allows.
//
// x is the list's value or that of a vector with the same keys; y is a bitmap or full. A statement reads and writes only
// the data of one entry, so a thread runs all statements for its entry, one after the other.
// Defined before: Index; Z (values of the list); STATEMENTS (2 to 4) and a struct S0, S1, ... for each: types X, Y, S, C,
// Mask, Combine, Accum; OUTPUT; MASK (mask.cuh); ACCUM; ALIGNED: the mask has the list's keys; X_FROM_LIST: x is the list's
// value; NEXT_INPUT: its output is the next input of the loop (fused_list_loop.cu).
#include "warp.cuh"
#include "bits.cuh"
enum { SAME_KEYS, NEW_LIST, BITMAP };  // OUTPUT: values for the keys of the list; a new list; the bitmap or full C

template <class P> struct Statement {
  const typename P::X* x_values;
  const typename P::Y* y_values;
  const u32* y_bits;
  typename P::S s;
  const typename P::Mask* mask_values;
  const u32* mask_bits;
  Index* c_keys;
  typename P::C* c_values;
  u32* c_bits;
  u64 *c_size, *host_words;
};

// Run a statement for entry k of the list, which is at position i and has the value z.
template <class P> __device__ __forceinline__ void run(const Statement<P>& p, i64 k, i64 i, Z z) {
  typedef typename P::C C;
  typedef typename P::Accum Accum;
  if (P::MASK) {
    bool is_in_mask = has(P::ALIGNED ? 0 : p.mask_bits, i) && (P::MASK % 2 || cast<bool>(p.mask_values[P::ALIGNED ? k : i]));
    if (is_in_mask != (P::MASK <= 2)) return;
  }
  typename P::X x;
  if constexpr (P::X_FROM_LIST) x = z;
  else x = p.x_values[k];
  bool has_y = p.y_values && has(p.y_bits, i);
  typename P::T t = typename P::T();
  bool is_present = P::Combine::at(true, x, has_y, has_y ? p.y_values[i] : typename P::Y(), p.s, i, (i64)0, t);
  if (P::OUTPUT == SAME_KEYS) p.c_values[k] = cast<C>(t);
  if (P::OUTPUT == SAME_KEYS || !is_present) return;
  if (P::OUTPUT == NEW_LIST) {
    i64 place = append(p.c_size);
    p.c_keys[place] = i;
    p.c_values[place] = cast<C>(t);
    return;
  }
  bool accumulates = P::ACCUM && has(p.c_bits, i);
  p.c_values[i] = accumulates ? cast<C>(Accum::of(cast<typename Accum::X>(p.c_values[i]), cast<typename Accum::Y>(t), 0, 0, 0, 0)) : cast<C>(t);
  if (p.c_bits) set(p.c_bits, i);
}

// FOR_ALL(F) expands F for each statement: its kernel parameters, the construction of its Statement from them, its run.
#define PARAMETERS(P)                                                                                                                  \
  , const P::X *P##_x, const P::Y *P##_y, const u32 *P##_y_bits, P::S P##_s, const P::Mask *P##_mask, const u32 *P##_mask_bits,        \
      Index *P##_keys, P::C *P##_c, u32 *P##_c_bits, u64 *P##_size, u64 *P##_host
#define CONSTRUCT(P) \
  Statement<P> P##_statement = {P##_x, P##_y, P##_y_bits, P##_s, P##_mask, P##_mask_bits, P##_keys, P##_c, P##_c_bits, P##_size, P##_host};
#define RUN(P) run(P##_statement, k, i, z);
#if STATEMENTS == 2
#define FOR_ALL(F) F(S0) F(S1)
#elif STATEMENTS == 3
#define FOR_ALL(F) F(S0) F(S1) F(S2)
#else
#define FOR_ALL(F) F(S0) F(S1) F(S2) F(S3)
#endif
