// Conversion of a bitmap to a list whose order does not matter; for bitmaps with few entries.
//
// Work split: one word of 32 presence bits per lane; a lane writes the entries of its word.
// Conflicts: a warp reserves places in the list by one atomic addition to `list_size`, if its words have any entry.
#include "bits.cuh"
template <class Key, class T>
__device__ __forceinline__ void append_bitmap_entries(i64 words, const u32* bits, const T* bitmap_values, Key* indices, T* values, u64* list_size) {
  for (i64 w = thread(); w < round_up_to_warps(words); w += threads()) {
    u32 word = w < words ? bits[w] : 0;
    if (!ballot(word)) continue;
    i64 end = inclusive_scan(__popc(word)), total = from_lane(end, WARP - 1), place = 0;
    if (lane() == 0) place = atomicAdd(list_size, (u64)total);
    place = from_lane(place, 0) + end - __popc(word);
    for (u32 remaining = word; remaining; remaining &= remaining - 1) {
      i64 i = w * 32 + __ffs(remaining) - 1;
      indices[place] = i;
      values[place++] = bitmap_values[i];
    }
  }
}
