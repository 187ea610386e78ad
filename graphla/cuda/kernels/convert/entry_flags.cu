// Flags from bytes to bits, and how many there are in each word; how many stand before each row.
#include "entry_flags.cuh"
extern "C" __global__ void pack_flags(i64 n, const bool* flags, u32* bits, Ends* counts) {
  for (i64 w = thread(); w <= n / 32; w += threads()) {
    u32 word = 0;
    for (i64 k = 32 * w; k < min(n, 32 * w + 32); k++) word |= (u32)flags[k] << k % 32;
    bits[w] = word;
    counts[w] = __popc(word);
  }
}

extern "C" __global__ void flagged_row_offsets(i64 count, const Offset* indptr, const u32* bits, const Ends* ends, Start* out) {
  for (i64 i = thread(); i < count; i += threads()) out[i] = before(bits, ends, indptr[i]);
}
