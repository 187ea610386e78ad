// Conversion of compressed sparse rows to sliced ELLPACK with blocks of COLUMNS columns (storage/sliced_ell.py).
//
// Entries of a row that has FEW or more of them in one block are near: their pieces are sorted by block, and their items
// are 16-bit columns within the block. All other entries are far: pieces of their rows, with 32-bit columns.
// Rows are converted in parts, each as a matrix of its own; `move_slices` then brings the slices of all parts together.
// Work split: `cut_segments` gives each warp an equal share of the entries; `fill_slices` and `move_slices` a warp per slice;
// else a thread per element. Conflicts: pieces are appended with warp-aggregated atomics, then sorted by the host.
// Memory: reads the columns of a row around each entry; writes each item once, and again when parts are brought together.
// Defined before: Offset, Item; what sliced_ell.cuh needs.
#include "sliced_ell.cuh"

// Append the pieces of entries begin..end-1, all of one row and block.
__device__ __forceinline__ void append_pieces(i64 block, i64 begin, i64 end, u64* piece_keys, u64* count) {
  for (i64 p = begin; p < end; p += PIECE) piece_keys[append(count)] = Piece::of(block, p, min((i64)PIECE, end - p));
}

// A segment is the entries of a row in one block. Mark the entries of segments shorter than FEW as far, and append the
// pieces of the other segments.
extern "C" __global__ void cut_segments(i64 nrows, i64 nvals, const Offset* row_offsets, const u32* columns, u8* is_far, u64* piece_keys, u64* count) {
  for_each_entry(row_offsets, nrows, nvals, [&](i64 row, i64 p) {
    i64 block = columns[p] / COLUMNS, row_begin = row_offsets[row], row_end = row_offsets[row + 1], begin = p, end = p + 1;
    while (begin > row_begin && p - begin < FEW - 1 && columns[begin - 1] / COLUMNS == block) begin--;
    while (end < row_end && end - p < FEW && columns[end] / COLUMNS == block) end++;
    is_far[p] = end - begin < FEW;
    if (end - begin < FEW || (p > row_begin && columns[p - 1] / COLUMNS == block)) return;
    for (i64 high = row_end; end < high;) {  // p is the first entry of its segment: search the segment's end
      i64 middle = (end + high) / 2;
      if (columns[middle] / COLUMNS == block) end = middle + 1;
      else high = middle;
    }
    append_pieces(block, p, end, piece_keys, count);
  });
}

// The columns of the far entries; far_offsets[p]: number of far entries before p.
extern "C" __global__ void compact_far_columns(i64 nvals, const u8* is_far, const Offset* far_offsets, const u32* columns, u32* far_columns) {
  for (i64 p = thread(); p < nvals; p += threads())
    if (is_far[p]) far_columns[far_offsets[p + 1] - 1] = columns[p];
}

// Append the pieces of whole rows.
extern "C" __global__ void cut_rows(i64 nrows, const Offset* row_offsets, u64* piece_keys, u64* count) {
  for (i64 row = thread(); row < nrows; row += threads()) append_pieces(0, row_offsets[row], row_offsets[row + 1], piece_keys, count);
}

// sizes[s]: number of items of slice s, whose first piece is first_pieces[s]: SLICE times the length of its longest piece.
extern "C" __global__ void slice_sizes(i64 nslices, const i64* first_pieces, i64 npieces, const Piece* pieces, i64* sizes) {
  for (i64 s = thread(); s < nslices; s += threads()) {
    i64 first = first_pieces[s], block = pieces[first].block(), longest = 0;
    for (i64 k = first; k < min(first + SLICE, npieces) && pieces[k].block() == block; k++) longest = max(longest, pieces[k].length());
    sizes[s] = SLICE * ((longest + GRAIN - 1) / GRAIN * GRAIN);
  }
}

// Write the items of each slice: columns minus the first column of the block, padded with `none`; and the row of each
// lane's piece, or -1. first_row: the number of the part's first row.
extern "C" __global__ void fill_slices(i64 nslices, const i64* first_pieces, i64 npieces, const Piece* pieces, i64 nrows, const Offset* row_offsets,
                                       const u32* columns, const i64* slice_offsets, i64 none, i64 first_row, i32* rows, Item* items) {
  for (i64 s = warp(); s < nslices; s += warps()) {
    i64 first = first_pieces[s], block = pieces[first].block(), width = (slice_offsets[s + 1] - slice_offsets[s]) / SLICE;
    for (int l = lane(); l < SLICE; l += WARP) {
      bool has_piece = first + l < npieces && pieces[first + l].block() == block;
      Piece piece = pieces[has_piece ? first + l : first];
      i64 length = has_piece ? piece.length() : 0;
      rows[s * SLICE + l] = has_piece ? first_row + row_of(row_offsets, 0, nrows, piece.begin()) : -1;
      for (i64 k = 0; k < width; k++)
        items[slice_offsets[s] + place_in(width, l, k)] = k < length ? columns[piece.begin() + k] - block * COLUMNS : none;
    }
  }
}

// Copy slice s of a part to the place of slice targets[s] of all parts.
extern "C" __global__ void move_slices(i64 nslices, const i64* targets, const i64* part_offsets, const i32* part_rows, const Item* part_items,
                                       const i64* slice_offsets, i32* rows, Item* items) {
  for (i64 s = warp(); s < nslices; s += warps()) {
    i64 target = targets[s], from = part_offsets[s], to = slice_offsets[target], size = part_offsets[s + 1] - from;
    for (i64 k = lane(); k < SLICE; k += WARP) rows[target * SLICE + k] = part_rows[s * SLICE + k];
    for (i64 k = lane(); k < size; k += WARP) items[to + k] = part_items[from + k];
  }
}
