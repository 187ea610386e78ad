// The entries of a bitmap with few, in the order in which warps come: one addition to the count for those of WARP words.
#include "bits.cuh"
template <class Key, class T>
__device__ __forceinline__ void append_bitmap_entries(i64 words, const u32* bits, const T* dense, Key* keys, T* x, u64* count) {
  for (i64 w = thread(); w < round_up_to_warps(words); w += threads()) {
    u32 word = w < words ? bits[w] : 0;
    if (!ballot(word)) continue;
    i64 behind = inclusive_scan(__popc(word)), total = from_lane(behind, WARP - 1), place = 0;
    if (lane() == 0) place = atomicAdd(count, (u64)total);
    place = from_lane(place, 0) + behind - __popc(word);
    for (u32 rest = word; rest; rest &= rest - 1) {
      i64 i = w * 32 + __ffs(rest) - 1;
      keys[place] = i;
      x[place++] = dense[i];
    }
  }
}
