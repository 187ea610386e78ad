// Conversions between the storage formats of a vector: list (indices and values) and bitmap (presence bits and values of
// all positions); and the number of entries of a bitmap.
//
// Work split: one entry of a list, or one word of 32 presence bits, per thread.
// Conflicts: presence bits are set by atomicOr; counts are added once per warp.
// Memory: reads the source once; writes each entry once.
#include "bits.cuh"
#include "warp.cuh"
#include "host_result.cuh"
#include "bitmap_to_list.cuh"
// `bits` are 0 before.
extern "C" __global__ void list_to_bitmap(const u64* list_size, const Index* indices, const V* values, V* bitmap_values, u32* bits) {
  for (i64 k = thread(); k < *list_size; k += threads()) {
    i64 i = indices[k];
    bitmap_values[i] = values[k];
    set(bits, i);
  }
}

// The number of entries in each word of a bitmap.
extern "C" __global__ void count_word_entries(i64 words, const u32* bits, Index* word_counts) {
  for (i64 w = thread(); w < words; w += threads()) word_counts[w] = __popc(bits[w]);
}

// The number of entries of a bitmap. `total` is {0, 0} before; the host can wait for its value (publish_count).
extern "C" __global__ void count_entries(i64 words, const u32* bits, u64* total, u64* host_words) {
  i64 count = 0;
  for (i64 w = thread(); w < words; w += threads()) count += __popc(bits[w]);
  count = from_lane(inclusive_scan(count), WARP - 1);
  if (lane() == 0 && count) atomicAdd(total, (u64)count);
  publish_count(total, host_words);
}

extern "C" __global__ void bitmap_to_unsorted_list(i64 words, const u32* bits, const V* bitmap_values, Index* indices, V* values, u64* list_size) {
  append_bitmap_entries(words, bits, bitmap_values, indices, values, list_size);
}

// `entries_end` is the prefix sum of count_word_entries: the entries of word w go to the places before entries_end[w].
extern "C" __global__ void bitmap_to_sorted_list(i64 words, const u32* bits, const Index* entries_end, const V* bitmap_values, Index* indices,
                                                 V* values) {
  for (i64 w = thread(); w < words; w += threads()) {
    i64 place = w ? entries_end[w - 1] : 0;
    for (u32 remaining = bits[w]; remaining; remaining &= remaining - 1) {
      i64 i = w * 32 + __ffs(remaining) - 1;
      indices[place] = i;
      values[place++] = bitmap_values[i];
    }
  }
}

// The inverse of bitmap_to_sorted_list, where every thread takes a position.
extern "C" __global__ void sorted_values_to_bitmap(i64 size, const u32* bits, const Index* entries_end, const V* values, V* bitmap_values) {
  for (i64 i = thread(); i < size; i += threads()) {
    u32 word = bits[i / 32], bit = 1u << i % 32;
    if (word & bit) bitmap_values[i] = values[(i < 32 ? 0 : entries_end[i / 32 - 1]) + __popc(word & (bit - 1))];
  }
}
