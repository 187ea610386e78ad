// Rows in pieces, and these in slices of 32 of about equal length: each lane sums one up, and reads what it needs
// four items at a time, side by side with its neighbours, then up to three single ones. Shorter pieces are filled up.
#include "rows.cuh"

enum { SLICE = 32 };

// The place in a slice of so many items a lane of the lane's k-th item.
__device__ __forceinline__ i64 place_in(i64 width, i64 lane, i64 k) {
  return k < width / 4 * 4 ? k / 4 * (4 * SLICE) + 4 * lane + k % 4 : k * SLICE + lane;
}

// A piece as a number by which pieces are sorted: by block of columns, then by where they begin, in stretches of
// 2^STRETCH entries, long ones first in each. So sums of one time lie together, and lengths still come in order.
struct Piece {
  enum { PLACE = 39, LENGTH = 8 };  // bits; 17 are left for the block
  u64 key;
  static __device__ __forceinline__ u64 bits(u64 x, int count) { return x & ((1ull << count) - 1); }
  static __device__ __forceinline__ u64 of(u64 block, u64 begin, i64 length) {
    return block << (PLACE + LENGTH) | begin >> STRETCH << (STRETCH + LENGTH) | (u64)((1 << LENGTH) - length) << STRETCH | bits(begin, STRETCH);
  }
  __device__ __forceinline__ i64 block() const { return key >> (PLACE + LENGTH); }
  __device__ __forceinline__ i64 begin() const { return bits(key, PLACE + LENGTH) >> (STRETCH + LENGTH) << STRETCH | bits(key, STRETCH); }
  __device__ __forceinline__ i64 length() const { return (1 << LENGTH) - bits(key >> STRETCH, LENGTH); }
};
