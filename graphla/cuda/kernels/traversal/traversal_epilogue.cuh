// What follows for a new entry (i, z) of the frontier of a search: F0 and, if there is one, F1 write it into bitmaps of
// their own, c = accum(c, combine(z, s)). A call defines both (types C, S, T; Combine; ACCUM, Accum; THERE), and as
// CLAIMED the number of the one whose structure masks the search: it has no entry there so far.
template <class F, bool IS_NEW> __device__ __forceinline__ void follow_one(typename F::C* c, const u32* bits, typename F::S s, i64 i, Z z) {
  if constexpr (F::THERE) {
    typename F::T t = typename F::T();
    F::Combine::at(true, z, false, z, s, i, 0, t);
    bool both = F::ACCUM && !IS_NEW && has(bits, i);
    typedef typename F::Accum Accum;
    typedef typename F::C C;
    c[i] = both ? cast<C>(Accum::of(cast<typename Accum::X>(c[i]), cast<typename Accum::Y>(t), 0, 0, 0, 0)) : cast<C>(t);
  }
}

struct Follow {
  F0::C* c0;
  u32* bits0;
  F0::S s0;
  F1::C* c1;
  u32* bits1;
  F1::S s1;
  __device__ __forceinline__ u32* seen() const { return CLAIMED ? bits1 : bits0; }
  // Word w of the entries of the other bitmap.
  __device__ __forceinline__ u32 other(i64 w) const { return F1::THERE ? (CLAIMED ? bits0 : bits1)[w] : 0; }
  __device__ __forceinline__ void write(i64 i, Z z) const {
    follow_one<F0, CLAIMED == 0>(c0, bits0, s0, i, z);
    follow_one<F1, CLAIMED == 1>(c1, bits1, s1, i, z);
  }
  // The bits of an entry that is among those seen already.
  __device__ __forceinline__ void mark(i64 i) const {
    if (F1::THERE) set(CLAIMED ? bits0 : bits1, i);
  }
  // The bits of the entries of word w that have been found, which this thread alone writes, once all have been written.
  __device__ __forceinline__ void mark_word(i64 w, u32 found) const {
    if (!found) return;
    bits0[w] |= found;
    if (F1::THERE) bits1[w] |= found;
  }
};
