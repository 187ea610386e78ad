// Structures of compressed sparse rows from flags on their entries (entry_flags.cuh): part of one, union of two.
//
// Work split: one entry per thread (for_each_entry, rows.cuh).
// Conflicts: none: the flags before an entry give its place in the output.
// Memory: reads each entry and the flags; writes each entry of the output once.
#include "rows.cuh"
#include "entry_flags.cuh"

// The entries that have a flag, in order. `values` may be null.
extern "C" __global__ void compact_flagged(i64 nvals, const u32* flag_bits, const FlagCount* flags_before_word, const Index* indices,
                                           const V* values, Index* kept_indices, V* kept_values) {
  for (i64 k = thread(); k < nvals; k += threads()) {
    if (!has(flag_bits, k)) continue;
    i64 place = flags_before(flag_bits, flags_before_word, k);
    kept_indices[place] = indices[k];
    if (values) kept_values[place] = values[k];
  }
}

// The columns of the union of the structures x and y. The flags are those of y's entries that are not in x: the place of an
// entry in the union is its place in x plus the number of flagged entries of y before it, and for y's entries likewise.
extern "C" __global__ void merge_structures(i64 x_nvals, i64 y_nvals, i64 nrows, const XOffset* x_indptr, const Index* x_indices,
                                            const YOffset* y_indptr, const Index* y_indices, const u32* flag_bits,
                                            const FlagCount* flags_before_word, Index* union_indices) {
  for_each_entry(x_indptr, nrows, x_nvals, [&](i64 i, i64 p) {
    i64 j = x_indices[p];
    union_indices[p + flags_before(flag_bits, flags_before_word, lower_bound(y_indptr, y_indices, i, j))] = j;
  });
  for_each_entry(y_indptr, nrows, y_nvals, [&](i64 i, i64 q) {
    i64 j = y_indices[q];
    if (has(flag_bits, q)) union_indices[flags_before(flag_bits, flags_before_word, q) + lower_bound(x_indptr, x_indices, i, j)] = j;
  });
}
