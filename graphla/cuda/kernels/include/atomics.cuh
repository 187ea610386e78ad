// Atomic update of a monoid value in memory: *word = Add(*word, z).
//
// Provides Word (the 32- or 64-bit word that holds one Z), to_word, from_word and atomic_accumulate.
// Defined before: Z, Add and, if the hardware has this operation, NATIVE (e.g. atomicAdd) on values of type NativeZ.
// Without NATIVE a compare-and-swap loop is used.
template <bool is_wide> struct WordOf { typedef u32 Word; };
template <> struct WordOf<true> { typedef u64 Word; };
typedef WordOf<(sizeof(Z) > 4)>::Word Word;
union WordBits { Word word; Z value; };

__device__ __forceinline__ Word to_word(Z z) {
  WordBits bits;
  bits.word = 0;
  bits.value = z;
  return bits.word;
}
__device__ __forceinline__ Z from_word(Word word) {
  WordBits bits;
  bits.word = word;
  return bits.value;
}
__device__ __forceinline__ void atomic_accumulate(Word* address, Z z) {
#ifdef NATIVE
  if (Add::TERMINAL) {  // min, max: z often changes nothing, and a plain read is cheaper than the atomic
    Z old = from_word(*(volatile Word*)address);
    if (Add::of(old, z) == old) return;
  }
  NATIVE((NativeZ*)address, (NativeZ)z);
#else
  for (Word old = *(volatile Word*)address, seen;; old = seen) {
    Word next = to_word(Add::of(from_word(old), z));
    if (next == old || (seen = atomicCAS(address, old, next)) == old) return;
  }
#endif
}
