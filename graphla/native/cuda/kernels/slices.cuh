// Rows in pieces, and these in slices of 32 of about equal length: each lane sums one up, and reads what it needs
// four items at a time, side by side with its neighbours. Shorter ones are filled up with an item whose value is 0.
#include "rows.cuh"

enum { SLICE = 32 };

// A piece as a number by which pieces are sorted: by block of columns, long ones first, then by first entry.
struct Piece {
  enum { PLACE = 39, LENGTH = 8 };  // bits; 17 are left for the block
  u64 key;
  static __device__ __forceinline__ u64 of(u64 block, i64 begin, i64 length) {
    return block << (PLACE + LENGTH) | (u64)((1 << LENGTH) - length) << PLACE | (u64)begin;
  }
  __device__ __forceinline__ i64 block() const { return key >> (PLACE + LENGTH); }
  __device__ __forceinline__ i64 begin() const { return key & ((1ull << PLACE) - 1); }
  __device__ __forceinline__ i64 length() const { return (1 << LENGTH) - (key >> PLACE & ((1 << LENGTH) - 1)); }
};
