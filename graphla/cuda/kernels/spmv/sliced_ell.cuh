// Sliced ELLPACK: rows are cut into pieces, and SLICE pieces of about equal length make a slice, padded to its longest.
//
// A lane sums one piece of a slice. Items are laid out such that a warp reads consecutive memory: 4 items of lane 0, 4 of
// lane 1, ..., then the next 4 of each; the last width % 4 items of each lane singly.
// Source: Monakov, Lokhmotov, Avetisyan, HiPEAC 2010.
//
// Defined before (storage/sliced_ell.py): SLICE; COLUMNS, those of a block; FEW, entries of a row in a block from which they
// are near; PIECE, most entries of a piece; GRAIN, the divisor of all widths; STRETCH, BEGIN_BITS and LENGTH_BITS, the
// parts of a piece's key.
#include "rows.cuh"

// The place of item k of a lane in a slice of `width` items a lane.
__device__ __forceinline__ i64 place_in(i64 width, i64 lane, i64 k) {
  return k < width / 4 * 4 ? k / 4 * (4 * SLICE) + 4 * lane + k % 4 : k * SLICE + lane;
}

// A piece of a row as a sort key: block of columns, then begin / 2^STRETCH, then falling length, then begin % 2^STRETCH.
// So pieces that are near each other in the matrix (whose sums are near each other) stay together and still are sorted
// by length.
struct Piece {
  static_assert(PIECE <= 1 << LENGTH_BITS && STRETCH < BEGIN_BITS, "the parts of a key");
  u64 key;
  static __device__ __forceinline__ u64 low_bits(u64 x, int count) { return x & ((1ull << count) - 1); }
  static __device__ __forceinline__ u64 of(u64 block, u64 begin, i64 length) {
    return block << (BEGIN_BITS + LENGTH_BITS) | begin >> STRETCH << (STRETCH + LENGTH_BITS) | (u64)((1 << LENGTH_BITS) - length) << STRETCH | low_bits(begin, STRETCH);
  }
  __device__ __forceinline__ i64 block() const { return key >> (BEGIN_BITS + LENGTH_BITS); }
  __device__ __forceinline__ i64 begin() const { return low_bits(key, BEGIN_BITS + LENGTH_BITS) >> (STRETCH + LENGTH_BITS) << STRETCH | low_bits(key, STRETCH); }
  __device__ __forceinline__ i64 length() const { return (1 << LENGTH_BITS) - low_bits(key >> STRETCH, LENGTH_BITS); }
};
