// Entries as 64-bit keys of up to three bit fields: new row, new column, code of the weight; and back. Sorted keys are the
// entries in the order of the fields, which the shifts decide.
//
// Work split: one entry per thread.
// Conflicts: none.
// Memory: reads and writes one key, one index and one code per entry. A field with shift 64 is empty (0 bits wide).
#include "rows.cuh"
// key = new_rows[i] << row_shift | new_columns[j] << column_shift | code << code_shift for entry (i, j). `codes` may be null.
extern "C" __global__ void pack_sort_keys(i64 nvals, i64 nrows, i64 row_shift, i64 column_shift, i64 code_shift, const Offset* indptr,
                                          const Index* indices, const Code* codes, const Index* new_rows, const Index* new_columns,
                                          u64* keys) {
  for_each_entry(indptr, nrows, nvals, [&](i64 i, i64 p) {
    u64 key = column_shift < 64 ? (u64)new_columns[indices[p]] << column_shift : 0;
    if (row_shift < 64) key |= (u64)new_rows[i] << row_shift;
    if (codes && code_shift < 64) key |= (u64)codes[p] << code_shift;
    keys[p] = key;
  });
}

extern "C" __global__ void unpack_sort_keys(i64 nvals, i64 column_shift, i64 code_shift, u64 column_mask, u64 code_mask, const u64* keys,
                                            Index* columns, Code* codes) {
  for (i64 p = thread(); p < nvals; p += threads()) {
    columns[p] = column_shift < 64 ? keys[p] >> column_shift & column_mask : 0;
    if (codes) codes[p] = code_shift < 64 ? keys[p] >> code_shift & code_mask : 0;
  }
}
