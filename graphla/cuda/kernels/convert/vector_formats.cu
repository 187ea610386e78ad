// From lists to bitmaps and back.
#include "bits.cuh"
#include "warp.cuh"
#include "host_result.cuh"
#include "bitmap_to_list.cuh"
extern "C" __global__ void list_to_bitmap(const u64* count, const Index* keys, const V* x, V* dense, u32* bits) {
  for (i64 k = thread(); k < *count; k += threads()) {
    i64 i = keys[k];
    dense[i] = x[k];
    set(bits, i);
  }
}

// How many entries each word of a bitmap has.
extern "C" __global__ void count_word_entries(i64 words, const u32* bits, Index* counts) {
  for (i64 w = thread(); w < words; w += threads()) counts[w] = __popc(bits[w]);
}

// How many entries a bitmap has.
extern "C" __global__ void count_entries(i64 words, const u32* bits, u64* total, u64* host) {
  i64 found = 0;
  for (i64 w = thread(); w < words; w += threads()) found += __popc(bits[w]);
  found = from_lane(inclusive_scan(found), WARP - 1);
  if (lane() == 0 && found) atomicAdd(total, (u64)found);
  publish_count(total, host);
}

extern "C" __global__ void bitmap_to_unsorted_list(i64 words, const u32* bits, const V* dense, Index* keys, V* x, u64* count) {
  append_bitmap_entries(words, bits, dense, keys, x, count);
}

// The entries of word w go to the places before ends[w], in order.
extern "C" __global__ void bitmap_to_sorted_list(i64 words, const u32* bits, const Index* ends, const V* dense, Index* keys, V* x) {
  for (i64 w = thread(); w < words; w += threads()) {
    i64 place = w ? ends[w - 1] : 0;
    for (u32 rest = bits[w]; rest; rest &= rest - 1) {
      i64 i = w * 32 + __ffs(rest) - 1;
      keys[place] = i;
      x[place++] = dense[i];
    }
  }
}
