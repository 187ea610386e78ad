// Columns of a table: t_j |= x for each column j whose bit j is set in `selection`; without a selection (null), one step k of
// Warshall's algorithm: t_j |= t_k for each column j whose bit k is set.
//
// Work split: one warp per column.
// Conflicts: none: column k itself is not written.
// Memory: reads one bit per column, x for each selected column; reads and writes the selected columns.
#include "warp.cuh"

// A column has `words` words of 64 bits. The step is k, or k + *first_step in a captured graph of launches.
extern "C" __global__ void unite_columns(i64 columns, i64 words, u64* table, const u64* x, const u64* selection, const i64* first_step,
                                         i64 k) {
  if (first_step) k += *first_step;
  if (k >= columns) return;
  if (!selection) x = table + k * words;
  for (i64 j = warp(); j < columns; j += warps()) {
    u64* column = table + j * words;
    if (column != x && (selection ? selection[j >> 6] >> (j & 63) & 1 : column[k >> 6] >> (k & 63) & 1))
      for (i64 i = lane(); i < words; i += WARP) column[i] |= x[i];
  }
}
