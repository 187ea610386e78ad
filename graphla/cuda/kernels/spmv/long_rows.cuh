// Rows of UNIT edges and more, and before each the number of units of those that were listed before.
struct Long {
  i64 *begins, *entries;
  u64* count;  // of rows; of units, in the lower half
  __device__ __forceinline__ void add(i64 k, i64 degree) const {
    u64 before = atomicAdd(count, (u64)1 << 32 | (u64)((degree + UNIT - 1) / UNIT));
    begins[before >> 32] = (u32)before;
    entries[before >> 32] = k;
  }
};
