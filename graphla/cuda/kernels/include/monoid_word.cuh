// Word: the 32- or 64-bit word that atomics take for a monoid value of type Z (defined before), and its conversions.
template <int bytes> struct WordOf { typedef u32 T; };
template <> struct WordOf<8> { typedef u64 T; };
typedef typename WordOf<sizeof(Z)>::T Word;
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
