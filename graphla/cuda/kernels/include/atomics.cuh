// *p = Add(*p, z), whole: by the hardware's own operation on NativeZ where it has one (NATIVE), else by
// compare-and-swap.
// A value takes a word of 32 or 64 bits of its own, whatever its type.
template <bool wide> struct Words { typedef u32 Word; };
template <> struct Words<true> { typedef u64 Word; };
typedef Words<(sizeof(Z) > 4)>::Word Word;
union Slot { Word word; Z value; };

__device__ __forceinline__ Word packed(Z z) {
  Slot s;
  s.word = 0;
  s.value = z;
  return s.word;
}
__device__ __forceinline__ Z unpacked(Word w) {
  Slot s;
  s.word = w;
  return s.value;
}
__device__ __forceinline__ void combine(Word* p, Z z) {
#ifdef NATIVE
  if (Add::TERMINAL) {  // a sum that may stay as it is: to read it is cheaper
    Z old = unpacked(*(volatile Word*)p);
    if (Add::of(old, z) == old) return;
  }
  NATIVE((NativeZ*)p, (NativeZ)z);
#else
  for (Word old = *(volatile Word*)p, seen;; old = seen) {
    Word next = packed(Add::of(unpacked(old), z));
    if (next == old || (seen = atomicCAS(p, old, next)) == old) return;
  }
#endif
}
