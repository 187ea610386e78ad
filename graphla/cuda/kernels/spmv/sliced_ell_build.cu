// Rows cut into pieces: where a row has several columns in one block of columns, by blocks; the rest as it is.
#include "sliced_ell.cuh"

// Append the pieces of entries begin..end-1 to a list.
__device__ __forceinline__ void append_pieces(i64 block, i64 begin, i64 end, u64* keys, u64* count) {
  for (i64 p = begin; p < end; p += PIECE) keys[append(count)] = Piece::of(block, p, min((i64)PIECE, end - p));
}

// Write which entries have fewer than FEW of their block in their row; append the pieces of the others.
extern "C" __global__ void cut_segments(i64 n, i64 nvals, const Offset* ends, const u32* columns, u8* few, u64* keys, u64* count) {
  for_each_entry(ends, n, nvals, [&](i64 row, i64 p) {
    i64 block = columns[p] / COLUMNS, first = ends[row], last = ends[row + 1], begin = p, end = p + 1;
    while (begin > first && p - begin < FEW - 1 && columns[begin - 1] / COLUMNS == block) begin--;
    while (end < last && end - p < FEW && columns[end] / COLUMNS == block) end++;
    few[p] = end - begin < FEW;
    if (end - begin < FEW || (p > first && columns[p - 1] / COLUMNS == block)) return;
    for (i64 high = last; end < high;) {  // the end of the segment
      i64 middle = (end + high) / 2;
      if (columns[middle] / COLUMNS == block) end = middle + 1;
      else high = middle;
    }
    append_pieces(block, p, end, keys, count);
  });
}

// Entries that are few, one behind the other: `ends` counts them up to each.
extern "C" __global__ void compact_far_columns(i64 nvals, const u8* few, const Offset* ends, const u32* columns, u32* kept) {
  for (i64 p = thread(); p < nvals; p += threads())
    if (few[p]) kept[ends[p + 1] - 1] = columns[p];
}

extern "C" __global__ void cut_rows(i64 n, const Offset* ends, u64* keys, u64* count) {
  for (i64 v = thread(); v < n; v += threads()) append_pieces(0, ends[v], ends[v + 1], keys, count);
}

// How many items each slice takes: all have as many as the longest piece; `firsts` are their first pieces.
extern "C" __global__ void slice_sizes(i64 slices, const i64* firsts, i64 count, const Piece* pieces, i64* width) {
  for (i64 s = thread(); s < slices; s += threads()) {
    i64 first = firsts[s], block = pieces[first].block(), longest = 0;
    for (i64 k = first; k < min(first + SLICE, count) && pieces[k].block() == block; k++) longest = max(longest, pieces[k].length());
    width[s] = SLICE * ((longest + GRAIN - 1) / GRAIN * GRAIN);
  }
}

// Write the items of each slice: columns, counted from the first of their block; `none` fills up.
extern "C" __global__ void fill_slices(i64 slices, const i64* firsts, i64 count, const Piece* pieces, i64 n, const Offset* ends, const u32* columns,
                                const i64* begins, i64 none, i32* rows, Item* items) {
  for (i64 s = warp(); s < slices; s += warps()) {
    i64 first = firsts[s], block = pieces[first].block(), width = (begins[s + 1] - begins[s]) / SLICE;
    for (int l = lane(); l < SLICE; l += WARP) {
      bool has = first + l < count && pieces[first + l].block() == block;
      Piece piece = pieces[has ? first + l : first];
      i64 length = has ? piece.length() : 0;
      rows[s * SLICE + l] = has ? row_of(ends, 0, n, piece.begin()) : -1;
      for (i64 k = 0; k < width; k++)
        items[begins[s] + place_in(width, l, k)] = k < length ? columns[piece.begin() + k] - block * COLUMNS : none;
    }
  }
}
