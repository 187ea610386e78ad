// Flags of the entries of compressed sparse rows: from bytes to bits (entry_flags.cuh), and the offsets of the flagged part.
//
// Work split: one word of 32 flags, or one row, per thread.
// Conflicts: none.
// Memory: reads the flags once; writes one word and one count per 32 flags. The host makes `flags_before_word` from the
// counts by a prefix sum.
#include "entry_flags.cuh"
extern "C" __global__ void pack_flags(i64 n, const bool* flags, u32* flag_bits, FlagCount* word_counts) {
  for (i64 w = thread(); w <= n / 32; w += threads()) {
    u32 word = 0;
    for (i64 k = 32 * w; k < min(n, 32 * w + 32); k++) word |= (u32)flags[k] << k % 32;
    flag_bits[w] = word;
    word_counts[w] = __popc(word);
  }
}

// The row offsets of the flagged entries, from those of all entries; `count` is the number of rows + 1.
extern "C" __global__ void flagged_row_offsets(i64 count, const Offset* indptr, const u32* flag_bits, const FlagCount* flags_before_word,
                                               OutOffset* out_indptr) {
  for (i64 i = thread(); i < count; i += threads()) out_indptr[i] = flags_before(flag_bits, flags_before_word, indptr[i]);
}
