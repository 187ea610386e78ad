// The hub neighbor of each row: of its first LOOK columns, the one whose own row is longest; and the bitmaps of the rows with
// entries, and with two or more.
//
// In a breadth-first search most unvisited vertices have a visited hub neighbor, so pull looks it up first (traversal_pull.cu).
// Work split: a thread per row. Conflicts: none; a word of bits is written by one warp.
// Memory: reads up to LOOK columns of a row and their degrees; writes a column and two bits for each row.
#include "bits.cuh"
extern "C" __global__ void hub_neighbors(i64 nrows, const Offset* row_offsets, const Index* columns, const Degree* degrees, Index* hubs,
                                         u32* has_hub_bits, u32* is_longer_bits) {
  for (i64 row = thread(); row < (nrows + 31) / 32 * 32; row += threads()) {
    Degree max_degree = 0;
    Index hub = -1;
    i64 end = row < nrows ? min((i64)row_offsets[row + 1], row_offsets[row] + (i64)LOOK) : 0;
    for (i64 p = row < nrows ? row_offsets[row] : 0; p < end; p++) {
      Index column = columns[p];
      Degree degree = degrees[column];
      if (!is_index(hub) || degree > max_degree) max_degree = degree, hub = column;
    }
    if (row < nrows) hubs[row] = hub;
    store_bit(has_hub_bits, row, is_index(hub));
    store_bit(is_longer_bits, row, row < nrows && row_offsets[row + 1] - row_offsets[row] > 1);
  }
}
