// Extraction from compressed sparse rows: A(P, :) by `row_lengths` and `extract_rows`, A(:, Q) by `count_column_copies`
// and `extract_columns`. Between the two passes the host makes offsets by a prefix sum.
//
// Work split: one row, or one entry, per thread.
// Conflicts: none: the offsets give each entry its place in the output.
// Memory: reads the entries of A that are extracted (all of A for columns); writes each entry of the output once.
#include "rows.cuh"

// A row index of -1, which wraps if the type is unsigned, gives an empty row.
extern "C" __global__ void row_lengths(i64 count, const RowIndex* rows, const Offset* indptr, i64* lengths) {
  for (i64 r = thread(); r < count; r += threads()) lengths[r] = !is_index(rows[r]) ? 0 : (i64)(indptr[rows[r] + 1] - indptr[rows[r]]);
}

// Row r of the output is row rows[r] of A; if that is -1, another launch writes it. `values` is null if not needed.
extern "C" __global__ void extract_rows(i64 count, const RowIndex* rows, const Offset* indptr, const Index* indices, const X* x,
                                        const OutOffset* out_indptr, Index* out_indices, X* out_values) {
  for_each_entry(out_indptr, count, out_indptr[count], [&](i64 r, i64 q) {
    if (!is_index(rows[r])) return;
    i64 p = indptr[rows[r]] + (q - out_indptr[r]);
    out_indices[q] = indices[p];
    if (out_values) out_values[q] = x[ISO ? 0 : p];
  });
}

// Column j of A becomes the columns labels[label_offsets[j]], ..., labels[label_offsets[j + 1] - 1] of the output; without
// label_offsets (null: Q has no index twice) the one column labels[j], or none if that is -1.
__device__ __forceinline__ i64 number_of_labels(const i64* label_offsets, const Label* labels, i64 j) {
  return label_offsets ? label_offsets[j + 1] - label_offsets[j] : is_index(labels[j]);
}

extern "C" __global__ void count_column_copies(i64 nvals, const Index* indices, const i64* label_offsets, const Label* labels, i64* copies) {
  for (i64 p = thread(); p < nvals; p += threads()) copies[p] = number_of_labels(label_offsets, labels, indices[p]);
}

// `copies_end[p]` is the number of copies of the entries up to p.
extern "C" __global__ void extract_columns(i64 nvals, const Index* indices, const X* x, const i64* label_offsets, const Label* labels,
                                           const i64* copies_end, Label* out_indices, X* out_values) {
  for (i64 p = thread(); p < nvals; p += threads()) {
    i64 j = indices[p], copies = number_of_labels(label_offsets, labels, j), first = copies_end[p] - copies;
    for (i64 k = 0; k < copies; k++) {
      out_indices[first + k] = labels[label_offsets ? label_offsets[j] + k : j];
      if (!ISO) out_values[first + k] = x[p];
    }
  }
}
