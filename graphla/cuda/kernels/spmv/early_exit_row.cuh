// The sum of a row of A u that ends as soon as its value is decided (any, or, and): each lane reads the first entries of
// another row; the warp then reads the rest of each long row together.
// `u_bits`: which entries u has, as the words of a bitmap, or of another type with a function `has`.
#include "monoid.cuh"
#include "bits.cuh"
#include "spmv_multiply.cuh"
enum { ALONE = 16, AT_ONCE = 4 };  // entries that a lane reads alone; entries whose loads it issues together

// Add the entries p, p + step, ... before `end` (AT_ONCE of them) to the sum; returns whether it is decided.
template <class Bits>
__device__ __forceinline__ bool add(bool& has_value, Z& sum, const A* a_values, i64 p, i64 end, int step, const Index* columns,
                                    const U* u_values, const Bits& u_bits, i64 row) {
  Index column[AT_ONCE];
  bool is_present[AT_ONCE];
#pragma unroll
  for (int t = 0; t < AT_ONCE; t++) column[t] = p + t * step < end ? columns[p + t * step] : (Index)-1;
#pragma unroll
  for (int t = 0; t < AT_ONCE; t++) is_present[t] = is_index(column[t]) && has(u_bits, column[t]);
#pragma unroll
  for (int t = 0; t < AT_ONCE; t++)
    if (is_present[t] && !(has_value && Add::done(sum)))
      accumulate(has_value, sum, product(a_values, p + t * step, USES_U ? u_values[column[t]] : U(), row, column[t]));
  return has_value && Add::done(sum);
}

// Add the entries p..end-1, of this lane's row, to its sum, until it is decided. All lanes of the warp must call this.
template <class Bits>
__device__ __forceinline__ void sum_row(bool& has_value, Z& sum, i64 row, Offset p, Offset end, const Index* columns, const A* a_values,
                                        const U* u_values, const Bits& u_bits) {
  bool done = false;
  for (Offset stop = min(end, (Offset)(p + ALONE)); p < stop && !done; p += AT_ONCE)
    done = add(has_value, sum, a_values, p, stop, 1, columns, u_values, u_bits, row);
  for (u32 unfinished_lanes = ballot(p < end && !done); unfinished_lanes; unfinished_lanes &= unfinished_lanes - 1) {
    int owner = __ffs(unfinished_lanes) - 1;
    Offset first = from_lane(p, owner), last = from_lane(end, owner);
    i64 owner_row = from_lane(row, owner);
    bool part_has_value = false, is_decided = false;
    Z part = Add::identity();
    for (Offset q = first + lane(); q - lane() < last && !ballot(is_decided); q += AT_ONCE * WARP)
      is_decided = add(part_has_value, part, a_values, q, last, WARP, columns, u_values, u_bits, owner_row);
    u32 decided_lanes = ballot(is_decided);
    if (decided_lanes) part = from_lane(part, __ffs(decided_lanes) - 1), part_has_value = true;
    else warp_sum(part_has_value, part), part = from_lane(part, 0), part_has_value = from_lane((int)part_has_value, 0);
    if (lane() == owner && part_has_value) accumulate(has_value, sum, part);
  }
}
