// The epilogue of a traversal kernel: what is written for each new frontier entry (i, z).
//
// One or two writers, Writer0 and Writer1, each write to another bitmap: c = accum(c, combine(z, s)). The bitmap of writer
// number VISITED is the visited set, the mask of the traversal, which has no entry at i before.
// Defined before: VISITED; the writers: types C, S, Combine, Accum; EXISTS, ACCUM.
template <class Writer, bool IS_NEW> __device__ __forceinline__ void write_entry(typename Writer::C* c_values, const u32* c_bits, typename Writer::S s, i64 i, Z z) {
  if constexpr (Writer::EXISTS) {
    typename Writer::T t = typename Writer::T();
    Writer::Combine::at(true, z, false, z, s, i, 0, t);
    bool accumulates = Writer::ACCUM && !IS_NEW && has(c_bits, i);
    typedef typename Writer::Accum Accum;
    typedef typename Writer::C C;
    c_values[i] = accumulates ? cast<C>(Accum::of(cast<typename Accum::X>(c_values[i]), cast<typename Accum::Y>(t), 0, 0, 0, 0)) : cast<C>(t);
  }
}

struct Epilogue {
  Writer0::C* values0;
  u32* bits0;
  Writer0::S scalar0;
  Writer1::C* values1;
  u32* bits1;
  Writer1::S scalar1;
  __device__ __forceinline__ u32* visited_bits() const { return VISITED ? bits1 : bits0; }
  __device__ __forceinline__ auto visited_value(i64 i) const {
    if constexpr (VISITED) return values1[i];
    else return values0[i];
  }
  // Word w of the presence bits of the writer whose bitmap is not the visited set.
  __device__ __forceinline__ u32 other_word(i64 w) const { return Writer1::EXISTS ? (VISITED ? bits0 : bits1)[w] : 0; }
  __device__ __forceinline__ void write(i64 i, Z z) const {
    write_entry<Writer0, VISITED == 0>(values0, bits0, scalar0, i, z);
    write_entry<Writer1, VISITED == 1>(values1, bits1, scalar1, i, z);
  }
  // Mark entry i as present in the other bitmap; its visited bit is set already.
  __device__ __forceinline__ void mark(i64 i) const {
    if (Writer1::EXISTS) set(VISITED ? bits0 : bits1, i);
  }
  // Mark the entries of word w as present in both bitmaps, after their values have been written. No other thread writes
  // this word.
  __device__ __forceinline__ void mark_word(i64 w, u32 new_bits) const {
    if (!new_bits) return;
    bits0[w] |= new_bits;
    if (Writer1::EXISTS) bits1[w] |= new_bits;
  }
};
