// A queue of long rows, with UNIT edges or more, which all warps later process in units of UNIT edges.
//
// A single 64-bit counter holds the number of queued rows (upper half) and of their units (lower half), so that one
// atomic addition gives a row its place and its first unit.
struct LongRows {
  i64 *first_units, *entries;  // for each queued row: number of units before it; place in the frontier
  u64* counts;
  __device__ __forceinline__ void add(i64 entry, i64 degree) const {
    u64 before = atomicAdd(counts, (u64)1 << 32 | (u64)((degree + UNIT - 1) / UNIT));
    first_units[before >> 32] = (u32)before;
    entries[before >> 32] = entry;
  }
};
