// Entries as words that sort by (row, place of the column), and back.
#include "rows.cuh"
extern "C" __global__ void pack_sort_keys(i64 nvals, i64 nrows, i64 row_shift, i64 place_shift, i64 code_shift, const Offset* indptr,
                                const Index* indices, const Code* codes, const Index* rows, const Index* places, u64* words) {
  for_each_entry(indptr, nrows, nvals, [&](i64 i, i64 p) {
    u64 word = place_shift < 64 ? (u64)places[indices[p]] << place_shift : 0;
    if (row_shift < 64) word |= (u64)rows[i] << row_shift;
    if (codes && code_shift < 64) word |= (u64)codes[p] << code_shift;
    words[p] = word;
  });
}

extern "C" __global__ void unpack_sort_keys(i64 nvals, i64 place_shift, i64 code_shift, u64 place_mask, u64 code_mask, const u64* words,
                                 Index* places, Code* codes) {
  for (i64 p = thread(); p < nvals; p += threads()) {
    places[p] = place_shift < 64 ? words[p] >> place_shift & place_mask : 0;
    if (codes) codes[p] = code_shift < 64 ? words[p] >> code_shift & code_mask : 0;
  }
}
